import type { WebhookItem } from '@app/domain/webhooks/provider.events';
import { ItemCollector } from './item.collector';
import type { Fields } from './item.fields';

/**
 * Template ids are numbers in the Cloud API's webhooks and may be larger than a double keeps exactly. Within a text
 * the quotation mark before the colon would be escaped.
 */
const LARGE_TEMPLATE_ID = /("message_template_id"\s*:\s*)(\d{16,})/g;

/** Parses a body and reads it from its root. A body that is no JSON is one reject, of the whole. Never throws. */
export function readBody(body: Buffer, read: (root: Fields, items: ItemCollector) => void): WebhookItem[] {
  // Takes off a byte order mark, and puts U+FFFD where bytes are no UTF-8.
  const text = new TextDecoder().decode(body);
  // Some providers try an address with nothing in the body.
  if (text.trim() === '') return [{ path: '', ignored: 'nothing' }];
  let root: unknown;
  try {
    root = JSON.parse(text.replace(LARGE_TEMPLATE_ID, '$1"$2"'));
  } catch {
    return [{ path: '', reason: 'the body is not JSON', raw: text }];
  }
  const items = new ItemCollector(text);
  items.take(root, '', (fields) => {
    read(fields, items);
    return null;
  });
  return items.collected();
}
