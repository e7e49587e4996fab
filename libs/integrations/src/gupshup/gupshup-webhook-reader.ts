import { WebhookReader, type WebhookItem } from '@app/domain/webhooks/provider-events';
import { readBody } from '../webhooks/body-reading';
import type { ItemCollector, Reading } from '../webhooks/item-collector';
import { UnreadableError, type Fields } from '../webhooks/item-fields';
import type { CloudDialect } from '../whatsapp-cloud/webhook/cloud-change';
import { takeEntries } from '../whatsapp-cloud/cloud-webhook-reader';
import { ContactBook, readPreference } from '../whatsapp-cloud/webhook/contact-book';
import { explainGupshupError } from './gupshup-refusal-reader';
import { readInbound } from './webhook/inbound-message-reading';
import {
  readBillingEvent,
  readMessageEvent,
  readAccountEvent,
  readTemplateEvent,
  readUserEvent,
} from './webhook/notice-readings';

/**
 * Meta's events as Gupshup passes them on (Gupshup: Meta format events). `gs_id` is the id that answered our request; WhatsApp's id is
 * in `meta_msg_id` or in `id`. The address says whose events they are. The field for our reference holds Gupshup's
 * reference.
 */
const PASSED_ON: CloudDialect = {
  entryNamesOwner: false,
  numberOf: () => null,
  idsOf(status, state) {
    const id = status.id('id');
    const providerId = status.id('gs_id') ?? (state === 'accepted' || state === 'failed' ? id : null);
    const whatsappId = status.id('meta_msg_id') ?? (state === 'accepted' ? null : id);
    if (providerId === null && whatsappId === null) throw new UnreadableError('no id names the message');
    return { providerId, whatsappId, reference: null };
  },
  explain: (code, words) => explainGupshupError(code ?? '', words),
};

type EventReader = (payload: Fields, root: Fields) => Reading;

const READERS: ReadonlyMap<string, EventReader> = new Map<string, EventReader>([
  ['message', readInbound],
  ['message-event', readMessageEvent],
  ['billing-event', readBillingEvent],
  ['user-event', readUserEvent],
  ['template-event', readTemplateEvent],
  ['account-event', readAccountEvent],
]);

/** Reads webhooks of Gupshup: its own events (version 2) and Meta's events, passed on (version 3). */
export class GupshupWebhookReader extends WebhookReader {
  read(body: Buffer): WebhookItem[] {
    return readBody(body, (root, items) => {
      if (root.has('entry')) takeEntries(root, items, PASSED_ON);
      else takeEvent(root, items);
    });
  }
}

/** The envelope of version 2 holds one event (Gupshup: inbound events). */
function takeEvent(root: Fields, items: ItemCollector): void {
  const type = root.word('type');
  if (type === null) throw new UnreadableError('neither "entry" nor "type" says what it is');
  if (type === 'preference-event') return takePreferences(root, items);
  const read = READERS.get(type);
  if (!read) return items.ignore('', `an event of "${type}"`);
  items.take(root.value('payload'), 'payload', (payload) => read(payload, root));
}

/** A `preference-event` holds Meta's own list (Gupshup: user events). */
function takePreferences(root: Fields, items: ItemCollector): void {
  const inner = root.requireObject('payload').requireObject('payload');
  const contacts = new ContactBook(inner);
  items.takeEach(inner.value('user_preferences'), 'payload.payload.user_preferences', (item) =>
    readPreference(item, contacts, null),
  );
}
