import type { Card } from '@app/contracts/board-events';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import { isolated } from '../format/direction.format';
import { readablePhone } from '../format/number.format';
import { leadWords } from './lead.words';

/** The channel of a dialog as requests name it. Answers have it in capitals. */
export const channelOf = ({ channel }: { channel: string }): Channel =>
  CHANNELS.find((word) => word === channel.toLowerCase()) ?? 'waba';

/** The name of a customer, else the phone, else the name that they chose at the messenger. */
export function customerName({
  customer_name: name,
  erased_at: erasedAt,
  phone,
  customer,
}: Pick<Card, 'customer_name' | 'phone' | 'customer' | 'erased_at'>): string {
  if (erasedAt !== null) return leadWords.say('erased');
  if (name?.trim()) return name;
  if (phone !== null) return readablePhone(phone);
  return customer.username === null ? leadWords.say('unnamed') : `@${customer.username}`;
}

/** The name is a phone, which is written from left to right. */
export const isNamedByPhone = ({ customer_name: name, phone, erased_at: erasedAt }: Card): boolean =>
  erasedAt === null && !name?.trim() && phone !== null;

export const stageName = (stage: { name: string } | null | undefined): string =>
  stage?.name ?? leadWords.say('noStage');

/** The channel of a dialog, in a word where there is little room. One that the page does not know has its own word. */
export function channelName(channel: string, form: 'channel' | 'short_channel' = 'channel'): string {
  const key = `${form}_${channel.toLowerCase()}`;
  return leadWords.has(key) ? leadWords.say(key) : channel;
}

/** Who did something; null: the service by itself. */
export function actorName(actor: { type: string; name: string } | null): string {
  if (actor === null) return leadWords.say('theService');
  if (actor.type === 'agent') return leadWords.say('theAgent');
  if (actor.type === 'scenario') return leadWords.say('scenario', { name: isolated(actor.name) });
  return isolated(actor.name);
}
