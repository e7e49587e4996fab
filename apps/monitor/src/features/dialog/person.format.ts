import type { HistoryEntryAnswer } from '@app/client/api.types';
import { isolated } from '../../shared/format/direction.format';
import { historyWords } from './history.words';

type Who = Pick<HistoryEntryAnswer, 'by' | 'actor'>;

/** Who brought something about; null: the service by itself. */
export function whoDid({ by, actor }: Who): string | null {
  if (actor?.type === 'agent' || (!actor && by === 'AI')) return historyWords.say('agent');
  if (actor?.type === 'scenario') return historyWords.say('scenario', { name: isolated(actor.name) });
  if (actor) return isolated(actor.name);
  if (by === 'USER') return historyWords.say('customer');
  if (by === 'OPERATOR') return historyWords.say('phoneApp');
  return by === 'PROVIDER' ? historyWords.say('messenger') : null;
}
