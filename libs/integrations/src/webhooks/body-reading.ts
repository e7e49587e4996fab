import type { WebhookItem } from '@app/domain/webhooks/provider-events';
import { ItemCollector } from './item-collector';
import type { Fields } from './item-fields';

/**
 * Template ids are numbers in the Cloud API's webhooks and may exceed what a double keeps exactly. Inside a text, the
 * quotation mark before the colon would be escaped.
 */
const LARGE_TEMPLATE_ID = /("message_template_id"\s*:\s*)(\d{16,})/g;

/** Parses a body and reads it from its root. A body that is no JSON becomes one reject. Never throws. */
export function readBody(body: Buffer, read: (root: Fields, items: ItemCollector) => void): WebhookItem[] {
  // Removes a byte order mark, and replaces bytes that are no UTF-8 by U+FFFD.
  const text = new TextDecoder().decode(body);
  // Some providers test an address with an empty body.
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
