import type { HistoryEntryAnswer } from '@app/client/api.types';

/**
 * The colleague who took the dialog over, by name. Null: the person here did, or nobody whose name is known: a system, the
 * phone's app, a scenario, or the agent, which handed over.
 */
export function takeoverOwner(history: readonly HistoryEntryAnswer[], userId: string): string | null {
  const last = history.findLast(({ type }) => type === 'handler');
  const actor = last?.to === 'OPERATOR' ? last.actor : null;
  return actor?.type === 'user' && actor.id !== userId ? actor.name : null;
}
