import { ApiError } from '@app/client/api.errors';
import type { Card } from '@app/contracts/board-events';
import type { Assignee } from '@app/contracts/lead.words';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/page-api';

const NOBODY_YET: readonly Assignee[] = [];

/** The people to whom leads of an agent can be assigned, by name. @param isWanted they are shown */
export function useAssignees(assistantId: string, isWanted = true): readonly Assignee[] {
  const listed = useQuery({
    queryKey: ['assignees', assistantId],
    queryFn: ({ signal }) =>
      api.post('/api/v1/leads/get-assignees', { body: { assistant_id: assistantId }, signal }),
    enabled: isWanted,
    select: ({ assignees }) => assignees.toSorted((one, other) => one.name.localeCompare(other.name)),
  });
  return listed.data ?? NOBODY_YET;
}

/** So many dialogs one call names, and lists. */
export const CARDS_AT_ONCE = 200;
const PATH = /^thread_ids\[(\d+)\]$/;

/** The card of a dialog as it is now. @throws ApiError THREAD_NOT_FOUND */
export async function readCard(threadId: string): Promise<Card> {
  const [card] = await listed([threadId]);
  return card as Card;
}

/**
 * The cards of dialogs as they are now, by their ids; null: the person sees no such dialog.
 * @param ids each once, in lower case, {@link CARDS_AT_ONCE} at most
 */
export async function readCards(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Card | null>> {
  try {
    return new Map((await listed(ids, CARDS_AT_ONCE, signal)).map((card) => [card.thread_id, card]));
  } catch (error) {
    const missing = new Set(missingOf(error, ids));
    if (missing.size === 0) throw error;
    const others = ids.filter((id) => !missing.has(id));
    const found = others.length === 0 ? [] : await readCards(others, signal);
    return new Map([...found, ...[...missing].map((id) => [id, null] as const)]);
  }
}

async function listed(ids: readonly string[], limit?: number, signal?: AbortSignal): Promise<Card[]> {
  const body = { thread_ids: [...ids], limit };
  const { threads } = await api.post('/api/v1/messages/get-threads', { body, signal });
  // A thread has all that a card has. During an update a process of the former version knows no such filter, and lists others.
  return ids.map((id) => {
    const found = threads.find(({ thread_id }) => thread_id === id.toLowerCase());
    if (!found) throw new Error(`${id} is not in the answer`);
    return found;
  });
}

/** The details of the refusal name the places of the dialogs that are not there. */
function missingOf(error: unknown, ids: readonly string[]): string[] {
  if (!(error instanceof ApiError) || error.code !== 'THREAD_NOT_FOUND') return [];
  return ((error.details ?? []) as { path: string }[]).flatMap(({ path }) => {
    const id = ids[Number(PATH.exec(path)?.[1])];
    return id === undefined ? [] : [id];
  });
}
