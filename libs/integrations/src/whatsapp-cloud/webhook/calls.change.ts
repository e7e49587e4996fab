import { digitsOf, requireAddress } from '../../webhooks/contact.address';
import type { ItemCollector, Reading } from '../../webhooks/item.collector';
import type { Fields } from '../../webhooks/item.fields';
import { timeOf } from '../../webhooks/provider.time';
import type { Change } from './cloud.change';
import type { CloudDialect } from './cloud.dialect';
import { ContactBook } from './contact.book';

/** The field `calls`. Of the events of a call only the end of one that a customer made and nobody took is a message. */
export function takeCalls({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
  if (!value.has('calls')) return items.ignore(path, 'no call of a customer');
  const number = dialect.numberOf(value);
  const contacts = new ContactBook(value);
  const ours = digitsOf(value.object('metadata'), 'display_phone_number');
  items.takeEach(value.value('calls'), `${path}.calls`, (call): Reading => {
    const event = call.word('event');
    if (event !== 'terminate') return { ignored: `an event of a call: "${event ?? 'nothing'}"` };
    if (isByUs(call, ours)) return { ignored: 'a call that we made' };
    if (wasTaken(call)) return { ignored: 'a call that was taken' };
    const caller = contacts.complete(digitsOf(call, 'from'), call.id('from_user_id'));
    const from = requireAddress(caller, 'caller');
    const messageId = call.requireId('id');
    const body = { type: 'call', text: '', content: { call: { outcome: 'missed' } }, words: [] };
    return {
      event: { kind: 'message', number, from, messageId, sentAt: timeOf(call, 'timestamp'), body },
    };
  });
}

/** Some events do not tell the direction (Meta: user-initiated calls). */
const isByUs = (call: Fields, ours: string | null): boolean =>
  call.has('direction')
    ? call.word('direction') === 'BUSINESS_INITIATED'
    : ours !== null && digitsOf(call, 'from') === ours;

/** Only a call that was taken has a start and a duration. One that failed came to nothing, even after it was taken. */
const wasTaken = (call: Fields): boolean =>
  call.word('status')?.toUpperCase() !== 'FAILED' &&
  (call.has('start_time') || (call.number('duration') ?? 0) > 0);
