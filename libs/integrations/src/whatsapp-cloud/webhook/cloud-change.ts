import type { Fields } from '../../webhooks/item-fields';

/** One change of an entry: one field of the business account. */
export interface Change {
  field: string;
  /** The path of its value in the body. */
  path: string;
  value: Fields;
  /** The id of the WhatsApp business account. */
  businessId: string | null;
  /** Present in fields about the account and templates, absent in fields about messages. */
  at: Date | null;
}
