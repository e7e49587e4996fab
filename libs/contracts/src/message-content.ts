/** What a message has besides its text, as everybody is shown it. The names are the API's. */

export interface LocationContent {
  type: 'location';
  latitude: number;
  longitude: number;
  name: string | null;
  address: string | null;
}

export interface SharedContact {
  name: string | null;
  organization: string | null;
  phones: { phone: string; label: string | null }[];
  emails: string[];
}

/** Business cards that a customer sent. */
export interface ContactsContent {
  type: 'contacts';
  contacts: SharedContact[];
}

export interface OrderItem {
  product_id: string | null;
  quantity: number | null;
  /** Of one, as decimal text. */
  price: string | null;
  currency: string | null;
}

/** What a customer ordered from a catalog. */
export interface OrderContent {
  type: 'order';
  catalog_id: string | null;
  items: OrderItem[];
}

/** A button or a row of a list that a customer chose. */
export interface ChoiceContent {
  type: 'choice';
  /** The payload that was sent with it. */
  id: string | null;
  title: string | null;
  description: string | null;
}

/** The answer of a flow. */
export interface FormContent {
  type: 'form';
  name: string | null;
  /** By the names of its fields; null where it cannot be read. */
  response: Record<string, unknown> | null;
}

export interface ReactionContent {
  type: 'reaction';
  /** Null: the reaction was taken back. */
  emoji: string | null;
  /** Our id of the message that it is about; null where we do not have it. */
  message_id: string | null;
}

/** A message of a kind that the messenger does not pass on, or that cannot be read. */
export interface UnsupportedContent {
  type: 'unsupported';
  code: number | null;
  title: string | null;
  details: string | null;
}

/** A call of a customer that nobody took. */
export interface CallContent {
  type: 'call';
  outcome: 'missed';
}

export type MessageContent =
  | LocationContent
  | ContactsContent
  | OrderContent
  | ChoiceContent
  | FormContent
  | ReactionContent
  | CallContent
  | UnsupportedContent;

export const CONTENT_TYPES = [
  ...(['location', 'contacts', 'order', 'choice', 'form', 'reaction', 'call', 'unsupported'] as const),
] as const satisfies readonly MessageContent['type'][];

/** The ad or the post by which a customer came. */
export interface Referral {
  source_type: string | null;
  source_id: string | null;
  source_url: string | null;
  headline: string | null;
  body: string | null;
  click_id: string | null;
}
