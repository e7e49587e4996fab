import type { HistoryEntryAnswer } from '@app/client/api.types';
import type { Card } from '@app/contracts/board.events';
import { readablePhone } from '../../shared/format/phone.format';
import { headWords } from './head.words';
import { historyWords } from './history.words';

/** Scripts that are written from right to left, and the signs that turn a text. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name within a sentence: one that turns the direction may not turn the sentence about. */
export const isolated = (name: string): string => (TURNS.test(name) ? `\u2068${name}\u2069` : name);

/** How a customer is called: the name, else the phone. */
export function customerName({ customer_name: name, phone, erased_at: erased }: Card): string {
  if (erased !== null) return headWords.say('erasedName');
  if (name?.trim()) return name;
  return phone === null ? headWords.say('noName') : readablePhone(phone);
}

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
