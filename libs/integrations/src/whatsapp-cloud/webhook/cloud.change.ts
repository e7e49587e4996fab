import type { Fields } from '../../webhooks/item.fields';

/** One change of an entry: what a field of the business account says. */
export interface Change {
  field: string;
  /** Of its value in the body. */
  path: string;
  value: Fields;
  /** The id of the WhatsApp business account. */
  businessId: string | null;
  /** Given with fields of the account and of templates, not with messages. */
  at: Date | null;
}
