import type { Message } from '@app/contracts/message.words';
import type { ApiError } from './api.errors';
import { KeyedListeners, type Listener, type Unsubscribe } from './board/keyed-listeners';

/** A message as get-messages lists it: its dialog is known. */
export type ListedMessage = Omit<Message, 'thread_id'>;

/** A message as it is to be drawn. */
export interface MessageRow {
  /** The same for the life of the row, also when a sent message gets its id. */
  key: string;
  /** Null: the service does not know it yet. */
  message: ListedMessage | null;
  /** What was sent, until the service has it. */
  draft: { text: string; error: ApiError | null } | null;
}

/** The part of a dialog that has been read. */
export interface MessageState {
  /** By time; what is being sent comes last. */
  rows: readonly MessageRow[];
  /** Cursors of get-messages; null: there are none; undefined: nothing was read yet. */
  older: string | null | undefined;
  newer: string | null | undefined;
}

interface Known {
  message: ListedMessage;
  /** Of the event that brought it; 0: it was read. */
  version: number;
  /** Grows with everything that is taken in. */
  taken: number;
}

interface Sending {
  key: string;
  requestId: string;
  text: string;
  error: ApiError | null;
}

/** The messages of one dialog: those that were read, those that came, and those that are being sent. */
export class MessageStore {
  private readonly known = new Map<string, Known>();
  private readonly keys = new Map<string, string>();
  private readonly rows = new Map<string, MessageRow>();
  private sending: Sending[] = [];
  private taken = 0;
  private readonly listeners = new KeyedListeners();
  private state: MessageState = { rows: [], older: undefined, newer: undefined };

  snapshot = (): MessageState => this.state;

  subscribe = (listener: Listener): Unsubscribe => this.listeners.add('', listener);

  /** An event: a message is taken that is not known, or that is known by a lower version. */
  take({
    message,
    version,
    request_id,
  }: {
    message: Message;
    version: number;
    request_id: string | null;
  }): boolean {
    const known = this.known.get(message.id);
    if (known && known.version >= version) return false;
    this.know(message, version);
    const sent = this.sending.find(({ requestId }) => requestId === request_id);
    if (sent) this.becomes(sent, message.id);
    this.show();
    return true;
  }

  /**
   * To be called before messages are read, so that what comes as an event meanwhile is not overwritten by what was read
   * before it. The page that it returns a taker for replaces nothing that came later.
   */
  reading(): (page: {
    messages: readonly ListedMessage[];
    older?: string | null;
    newer?: string | null;
  }) => void {
    const began = this.taken;
    return ({ messages, older, newer }) => {
      for (const message of messages) {
        const known = this.known.get(message.id);
        if (!known || known.taken <= began) this.know(message, known?.version ?? 0);
      }
      this.show({
        older: older === undefined ? this.state.older : older,
        newer: newer === undefined ? this.state.newer : newer,
      });
    };
  }

  /** A message goes out. @param key of its row @param requestId of its call */
  send(key: string, requestId: string, text: string): void {
    this.sending = [
      ...this.sending.filter((each) => each.key !== key),
      { key, requestId, text, error: null },
    ];
    this.show();
  }

  /** The service has it, by this id. Its content comes as an event, or is read. */
  sent(key: string, id: string): void {
    const sending = this.sending.find((each) => each.key === key);
    if (!sending) return;
    this.keys.set(id, key);
    if (this.known.has(id)) this.becomes(sending, id);
    this.show();
  }

  failed(key: string, error: ApiError): void {
    this.sending = this.sending.map((each) => (each.key === key ? { ...each, error } : each));
    this.show();
  }

  /** A message that failed is given up. */
  discard(key: string): void {
    this.sending = this.sending.filter((each) => each.key !== key);
    this.show();
  }

  /** The customer was erased, or what was missed is not known: all is to be read anew. */
  forget(): void {
    this.known.clear();
    this.show({ older: undefined, newer: undefined });
  }

  private know(message: ListedMessage, version: number): void {
    this.known.set(message.id, { message, version, taken: (this.taken += 1) });
    const key = this.keys.get(message.id);
    const sending = this.sending.find((each) => each.key === key);
    if (sending) this.becomes(sending, message.id);
  }

  private becomes(sending: Sending, id: string): void {
    this.keys.set(id, sending.key);
    this.sending = this.sending.filter((each) => each !== sending);
  }

  private show(cursors: Partial<Pick<MessageState, 'older' | 'newer'>> = {}): void {
    const messages = [...this.known.values()].map(({ message }) => message).sort(compareMessages);
    const rows = [
      ...messages.map((message) => ({ key: this.keys.get(message.id) ?? message.id, message, draft: null })),
      ...this.sending.map(({ key, text, error }) => ({ key, message: null, draft: { text, error } })),
    ].map((row) => this.unchanged(row));
    this.rows.clear();
    for (const row of rows) this.rows.set(row.key, row);
    this.state = { ...this.state, ...cursors, rows };
    this.listeners.tell('');
  }

  /** The row of before, if it is to be drawn as before. */
  private unchanged(row: MessageRow): MessageRow {
    const old = this.rows.get(row.key);
    const isSame =
      old?.message === row.message &&
      old?.draft?.text === row.draft?.text &&
      old?.draft?.error === row.draft?.error;
    return old && isSame ? old : row;
  }
}

/** One that was handled late is among newer ones. */
function compareMessages(a: ListedMessage, b: ListedMessage): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
