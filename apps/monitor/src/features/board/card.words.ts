import type { Card } from '@app/contracts/board.events';
import type { Actor } from '@app/contracts/lead.words';
import { readablePhone } from '../../shared/format/phone.format';
import { boardWords } from './board.words';

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name within a sentence: one of the other direction may not turn the sentence about. */
export const isolated = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The name of a customer, else the phone. */
export function nameOf({ customer_name: name, phone, erased_at: erasedAt }: Card): string {
  if (erasedAt !== null) return boardWords.say('erased');
  return name?.trim() || (phone === null ? boardWords.say('unnamed') : readablePhone(phone));
}

/** The name is a phone, which is written from left to right. */
export const isNamedByPhone = ({ customer_name: name, phone, erased_at: erasedAt }: Card): boolean =>
  erasedAt === null && !name?.trim() && phone !== null;

export const stageName = (stage: { name: string } | null | undefined): string =>
  stage?.name ?? boardWords.say('noStage');

/** Who did something. */
export function actorName(actor: Actor | null): string {
  if (actor === null) return boardWords.say('theService');
  if (actor.type === 'agent') return boardWords.say('theAgent');
  if (actor.type === 'scenario') return boardWords.say('scenario', { name: isolated(actor.name) });
  return isolated(actor.name);
}

/** Who wrote a message. */
export function authorName(role: string): string {
  if (role === 'USER') return boardWords.say('byCustomer');
  if (role === 'AI') return boardWords.say('byAi');
  return role === 'OPERATOR' ? boardWords.say('byOperator') : boardWords.say('bySystem');
}
