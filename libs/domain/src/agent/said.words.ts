import { isAudio, isPicture, MEDIA_KINDS, type MediaKind } from '@app/contracts/media.words';
import { cutText } from '@app/contracts/values/free-text';
import { describe, detailsOf, type MessageContent, type Referral } from '@app/contracts/message-content';
import type { SaidRow } from '@app/persistence/messages/dialog/message-columns';
import { contentOf, referralOf } from '../messages/dialog/message.presenter';

/** What was said, as far as the model is told. */
export type Said = Pick<SaidRow, 'role' | 'type' | 'text'> &
  Partial<Pick<SaidRow, 'id' | 'content' | 'quoted' | 'reacted_to' | 'deleted_at' | 'media'>>;

/** A customer who presses a button says what is written on it. Messages of other kinds have a caption at most. */
const IN_WORDS: ReadonlySet<string> = new Set(['text', 'template', 'button', 'interactive']);

/** What follows such a mark is of the customer, but its kind is told by us. */
export const CONTENT_MARKS = [
  'quote',
  'ad',
  'location',
  'contacts',
  'order',
  'choice',
  'form',
  'reaction',
  'deleted',
  'voice',
  'image',
  'sticker',
];

/** Of what is said in one voice note. */
const SPOKEN_CHARACTERS_MAX = 12_000;

/**
 * The words of messages, one after the other. Marks have the word of the request, so that a customer cannot write one:
 * each line of a value has its own mark, and line breaks in values are none.
 * @param word see `markWord`
 * @param pictures those that the model is shown, by the ids of messages
 */
export class SaidWords {
  private readonly ads = new Set<string>();
  private readonly byId: ReadonlyMap<string, Said>;

  constructor(
    said: readonly Said[],
    private readonly word: string,
    private readonly pictures: ReadonlyMap<string, unknown> = new Map(),
  ) {
    this.byId = new Map(said.flatMap((one) => (one.id === undefined ? [] : [[one.id, one]])));
  }

  /** Empty for one of ours that was deleted: nobody has to know of it. */
  of(message: Said): string {
    if (message.deleted_at)
      return message.role === 'USER' ? `${this.mark('deleted')} A message of the customer` : '';
    const content = contentFrom(message);
    const parts = [
      this.adOf(message),
      this.quoteOf(message, content),
      content === null
        ? this.spokenWords(message) || this.pictureWords(message) || plainWords(message)
        : this.contentWords(message, content) || this.emptyWords(message, content),
    ];
    return parts.filter((part) => part !== '').join('\n');
  }

  /** Each ad once, at the first message that came by it. */
  private adOf({ content }: Said): string {
    const referral = content ? referralOf(content) : null;
    const words = referral ? adWords(referral) : '';
    if (words === '' || this.ads.has(words)) return '';
    this.ads.add(words);
    return this.marked('ad', [words]);
  }

  private quoteOf({ quoted, reacted_to }: Said, content: MessageContent | null): string {
    const about = content?.type === 'reaction' && reacted_to ? this.byId.get(reacted_to) : quoted;
    if (!about) return '';
    const spoken = 'transcript' in about ? about.transcript : about.media?.transcript_text;
    const media = { transcript: { text: spoken ?? null } };
    const line = about.text || describe({ ...about, content: contentFrom(about), media }, 'en');
    if (line === '') return '';
    return `${this.mark('quote')}\n${line.replace(/^/gm, '> ')}`;
  }

  /** What a customer says in audio, or that it cannot be heard; empty: it is no audio of a customer. */
  private spokenWords({ role, type, media }: Said): string {
    if (role !== 'USER' || !media || !isAudio(takenFor(type, media.kind))) return '';
    const { transcript_state: state, transcript_text: text, seconds } = media;
    if (text !== null) return this.marked('voice', cutText(text, SPOKEN_CHARACTERS_MAX).split(/\r\n?|\n/));
    const what = media.kind === 'voice' ? 'A voice note' : 'An audio file';
    const came = `${what}${seconds === null ? '' : ` of ${seconds} seconds`} came.`;
    return this.marked('voice', [
      state === null
        ? `${came} You cannot listen to it: say so, and ask the customer to write.`
        : `${came} It could not be heard: ask the customer to write what it says.`,
    ]);
  }

  /** That a customer's picture is shown, or cannot be seen, and its caption; empty: it is none. */
  private pictureWords({ id, role, type, media, text }: Said): string {
    const kind = media ? takenFor(type, media.kind) : null;
    if (role !== 'USER' || kind === null || !isPicture(kind)) return '';
    const what = kind === 'image' ? 'A picture' : 'A sticker';
    const told = this.pictures.has(id ?? '')
      ? `${what} came. It is attached.`
      : `${what} came. You cannot see it: never guess what is on it.`;
    return [this.marked(kind, [told]), text].filter(isGiven).join('\n');
  }

  private contentWords({ type, text }: Said, content: MessageContent): string {
    switch (content.type) {
      case 'choice':
        return [text || `[${type}]`, this.marked('choice', [content.description ?? ''])]
          .filter(isGiven)
          .join('\n');
      case 'call':
      case 'unsupported':
        return text || `[${type}] ${describe({ type, text, content }, 'en')}`;
      case 'reaction':
        return this.marked('reaction', [content.emoji ?? 'taken back']);
      case 'form':
        return this.marked('form', content.response ? detailsOf(content) : [text]);
      default:
        return [this.marked(content.type, detailsOf(content)), text].filter(isGiven).join('\n');
    }
  }

  /** What has no values, such as a form without fields, came all the same. */
  private emptyWords({ type, text }: Said, content: MessageContent): string {
    return this.marked(content.type, [describe({ type, text, content }, 'en')]);
  }

  private marked(mark: string, lines: readonly string[]): string {
    return lines
      .filter(isGiven)
      .map((line) => `${this.mark(mark)} ${line}`)
      .join('\n');
  }

  private mark(mark: string): string {
    return `[${mark} ${this.word}]`;
  }
}

/** A picture or audio whose bytes nothing here reads, such as HEIC, is one all the same. */
const takenFor = (type: string, kind: MediaKind): MediaKind =>
  (kind === 'document' && MEDIA_KINDS.find((each) => each === type)) || kind;

const contentFrom = ({
  type,
  text,
  content = {},
  reacted_to,
}: Pick<Said, 'type' | 'text' | 'content' | 'reacted_to'>): MessageContent | null =>
  contentOf({ type, text, content, reacted_to });

const plainWords = ({ type, text }: Said): string =>
  IN_WORDS.has(type) && text.trim() !== '' ? text : `[${type}] ${text}`.trim();

const adWords = ({ headline, body, source_url }: Referral): string =>
  [headline, body, source_url].filter(isGiven).join('. ').replace(/\s+/g, ' ').trim();

const isGiven = (text: string | null): text is string => text !== null && text !== '';
