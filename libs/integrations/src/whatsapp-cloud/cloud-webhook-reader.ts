import { type NumberOfOurs, WebhookReader, type WebhookItem } from '@app/domain/webhooks/provider-events';
import { readBody } from '../webhooks/body-reading';
import { digitsOf, requireAddress } from '../webhooks/contact-address';
import type { ItemCollector, Reading } from '../webhooks/item-collector';
import { UnreadableError, type Fields, timeOf } from '../webhooks/item-fields';
import { accountNamedIn, takeAccountUpdate } from './webhook/account-change';
import { type Change, type CloudDialect, CLOUD } from './webhook/cloud-change';
import { takeAppState, takeEchoes, takeHistory } from './webhook/coexistence-changes';
import { ContactBook, takePreferences } from './webhook/contact-book';
import { takeMessages } from './webhook/messages-change';
import { takeHandover, takeStandby } from './webhook/standby-changes';
import {
  takeTemplateCategory,
  takeTemplateComponents,
  takeTemplateQuality,
  takeTemplateStatus,
} from './webhook/template-changes';

type ChangeReader = (change: Change, items: ItemCollector, dialect: CloudDialect) => void;

const READERS: ReadonlyMap<string, ChangeReader> = new Map<string, ChangeReader>([
  ['messages', takeMessages],
  ['calls', takeCalls],
  ['standby', takeStandby],
  ['messaging_handovers', takeHandover],
  ['smb_message_echoes', takeEchoes],
  ['smb_app_state_sync', takeAppState],
  ['history', takeHistory],
  ['user_preferences', takePreferences],
  ['message_template_status_update', takeTemplateStatus],
  ['message_template_quality_update', takeTemplateQuality],
  ['message_template_components_update', takeTemplateComponents],
  ['template_category_update', takeTemplateCategory],
  ['account_update', takeAccountUpdate],
]);

/**
 * The envelope of Meta's webhooks (Meta: webhooks). Each change of each entry is read alone, whatever the order of its
 * keys. One that does not say whose it is, nor does its entry, may tell of no number.
 */
export function takeEntries(root: Fields, items: ItemCollector, dialect: CloudDialect): void {
  const object = root.word('object') ?? 'whatsapp_business_account';
  if (object !== 'whatsapp_business_account') return items.ignore('', `about "${object}"`);
  items.takeEach(root.value('entry'), 'entry', (entry, position) => {
    const { entryNamesOwner } = dialect;
    const businessId = entry.id('id');
    const at = timeOf(entry, 'time');
    items.takeEach(entry.value('changes'), `${position}.changes`, (change, path) => {
      const field = change.word('field');
      if (field === null) throw new UnreadableError('"field" is missing');
      const read = READERS.get(field);
      if (!read) return { ignored: `the field "${field}"` };
      const value = change.requireObject('value');
      const owner = businessId ?? (field === 'account_update' ? accountNamedIn(value) : null);
      if (entryNamesOwner && owner === null)
        throw new UnreadableError('"id" of its entry is missing or is no id');
      const vouching = entryNamesOwner ? owner : null;
      items.from({ number: numberIn(value, dialect), businessId: vouching }, () =>
        read({ field, path: `${path}.value`, value, businessId, at }, items, dialect),
      );
      return null;
    });
    return null;
  });
}

/** Null where the change names none, as changes of templates do. */
function numberIn(value: Fields, dialect: CloudDialect): NumberOfOurs {
  try {
    return dialect.numberOf(value);
  } catch {
    return null;
  }
}

/** Reads webhooks of Meta's Cloud API. */
export class CloudWebhookReader extends WebhookReader {
  read(body: Buffer): WebhookItem[] {
    return readBody(body, (root, items) => takeEntries(root, items, CLOUD));
  }
}

/** The field `calls`. Of the events of a call only the end of one that a customer made and nobody took is a message. */
function takeCalls({ value, path }: Change, items: ItemCollector, dialect: CloudDialect): void {
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
