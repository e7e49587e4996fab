import type { Transcript } from './media.words';
import { cutText } from './values/free-text';

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

interface OrderItem {
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
interface ChoiceContent {
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

interface ReactionContent {
  type: 'reaction';
  /** Null: the reaction was taken back. */
  emoji: string | null;
  /** Our id of the message that it is about; null where we do not have it. */
  message_id: string | null;
}

/** A message of a kind that the messenger does not pass on, or that cannot be read. */
interface UnsupportedContent {
  type: 'unsupported';
  code: number | null;
  title: string | null;
  details: string | null;
}

/** A call of a customer that nobody took. */
interface CallContent {
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

/** The ad or the post by which a customer came. */
export interface Referral {
  source_type: string | null;
  source_id: string | null;
  source_url: string | null;
  headline: string | null;
  body: string | null;
  click_id: string | null;
}

/** The languages in which people read what a message is. */
const DESCRIBED_IN = ['en', 'ru'] as const;

type DescribedIn = (typeof DESCRIBED_IN)[number];

/** What a message is, in each language. */
export type MessageLines = Record<DescribedIn, string>;

/** A message, as far as it is described. */
export interface Describable {
  type: string;
  text: string;
  content: MessageContent | null;
  media?: { transcript: Pick<Transcript, 'text'> | null } | null;
}

const LINE_LENGTH_MAX = 500;

const WORDS = {
  en: {
    ...{ location: 'Location', contact: 'Contact', contacts: 'Contacts', order: 'Order', form: 'Form' },
    ...{ reaction: 'Reaction', reactionRemoved: 'Reaction taken back', choice: 'Choice' },
    call: 'Missed call',
    unsupported: 'Message that cannot be shown',
    ...{ image: 'Photo', video: 'Video', audio: 'Audio', document: 'File', sticker: 'Sticker' },
  },
  ru: {
    ...{ location: 'Место', contact: 'Контакт', contacts: 'Контакты', order: 'Заказ', form: 'Форма' },
    ...{ reaction: 'Реакция', reactionRemoved: 'Реакция снята', choice: 'Выбор' },
    call: 'Пропущенный звонок',
    unsupported: 'Сообщение, которое нельзя показать',
    ...{ image: 'Фото', video: 'Видео', audio: 'Аудио', document: 'Файл', sticker: 'Стикер' },
  },
} as const satisfies Record<DescribedIn, Record<string, string>>;

type Words = (typeof WORDS)[DescribedIn];

const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const;

/**
 * What a message is, in one line of words: its text where it has one, else what it has in its place. Empty where there is
 * nothing to say of it.
 */
export function describe({ type, text, content, media }: Describable, language: DescribedIn): string {
  const words = WORDS[language];
  const spoken = media?.transcript?.text;
  if (isGiven(spoken ?? '')) return cutText(oneLine(`${text} 🎤 ${spoken}`), LINE_LENGTH_MAX);
  const line = content === null ? fileOrText(type, text, words) : contentLine(content, text, words);
  return cutText(oneLine(line), LINE_LENGTH_MAX);
}

/** {@link describe} where the text alone does not say it; null where it does. */
export function descriptions(message: Describable): MessageLines | null {
  const lines = { en: describe(message, 'en'), ru: describe(message, 'ru') };
  return message.content === null || (lines.en === message.text && lines.ru === message.text) ? null : lines;
}

function fileOrText(type: string, text: string, words: Words): string {
  if (text !== '') return text;
  const file = FILES.find((each) => each === type);
  return file === undefined ? '' : words[file];
}

function contentLine(content: MessageContent, text: string, words: Words): string {
  switch (content.type) {
    case 'location': {
      const named = [content.name, content.address].filter(isGiven).join(', ');
      return headed(words.location, named || coordinates(content));
    }
    case 'contacts': {
      const [first, ...others] = content.contacts;
      if (others.length > 0)
        return headed(words.contacts, content.contacts.map(nameOf).filter(isGiven).join(', '));
      return headed(words.contact, first ? contactLine(first) : '');
    }
    case 'order':
      return headed(words.order, [detailsOf(content).join(', '), text].filter(isGiven).join('. '));
    case 'choice':
      return text || content.title || headed(words.choice, content.id ?? '');
    case 'form':
      return headed(words.form, detailsOf(content).join(', ') || text);
    case 'reaction':
      return content.emoji === null ? words.reactionRemoved : headed(words.reaction, content.emoji);
    case 'call':
      return words.call;
    case 'unsupported':
      return headed(words.unsupported, content.details ?? content.title ?? '');
  }
}

/** All that is said by a content, one thing in each line. The lines are the values, in the customer's own words. */
export function detailsOf(content: MessageContent): string[] {
  switch (content.type) {
    case 'location':
      return [content.name, content.address, coordinates(content)].filter(isGiven).map(oneLine);
    case 'contacts':
      return content.contacts.map(contactLine);
    case 'order':
      return content.items.map(({ product_id, quantity, price, currency }) => {
        const of = price === null ? '' : ` (${[price, currency].filter(isGiven).join(' ')})`;
        return oneLine(`${quantity ?? 1} × ${product_id ?? '?'}${of}`);
      });
    case 'choice':
      return [content.title, content.description].filter(isGiven).map(oneLine);
    case 'form':
      return Object.entries(content.response ?? {}).map(([field, value]) =>
        oneLine(`${field}: ${valueText(value)}`),
      );
    case 'reaction':
      return [content.emoji].filter(isGiven);
    case 'call':
      return [];
    case 'unsupported':
      return [content.title, content.details].filter(isGiven).map(oneLine);
  }
}

export const coordinates = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `${latitude}, ${longitude}`;

const nameOf = ({ name, organization, phones }: SharedContact): string =>
  name ?? organization ?? phones[0]?.phone ?? '';

function contactLine({ name, organization, phones, emails }: SharedContact): string {
  const numbers = phones.map(({ phone, label }) => (label === null ? phone : `${phone} (${label})`));
  return oneLine([name, organization, ...numbers, ...emails].filter(isGiven).join(', '));
}

/** The answer of a form's field as text. Lists are enumerated; what has fields of its own stays JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

const headed = (head: string, text: string): string => (text === '' ? head : `${head}: ${text}`);

const isGiven = (text: string | null): text is string => text !== null && text !== '';

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
