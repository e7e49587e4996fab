import type { Answering } from '@app/client/api-calls';
import { ApiError } from '@app/client/api.errors';
import type { ListedMessage } from '@app/client/message.store';
import type { Media } from '@app/contracts/media.words';
import { NOTE } from '@app/contracts/message.words';
import { serverNow } from '../../../shared/format/server-clock';
import { session } from '../../../shared/session/session.store';
import type { DialogStore } from '../dialog.store';

/** What was typed and sent, until the service shows it as a message. */
export interface Sending {
  key: string;
  kind: 'text' | 'note';
  text: string;
  media: Media | null;
  at: string;
  /** checking: the answer was lost, and the dialog is looked through for the message. */
  state: 'sending' | 'checking' | 'failed';
  error: unknown;
  /** The messages that were there before. One that is new and says the same is this one. */
  before: ReadonlySet<string>;
  /** Who sent it. After a sign-out it is nobody else's. */
  by: string | undefined;
}

const presentAuthor = (): ListedMessage['author'] => {
  const user = session.state().signedIn?.user;
  return user === undefined ? null : { id: user.id, name: user.name };
};

const presentUser = (): string | undefined => presentAuthor()?.id;

/** The call that sends; the id of its request is that of the message's events. */
type SendCall = () => Answering<{ id: string } & Partial<ListedMessage>>;

/** After a lost answer. The request may still be on its way when it is looked for the first time. */
const LOOKS_MS = [0, 2_000];
const OFFLINE_MS = 3_000;

const LOST: ReadonlySet<string> = new Set(['NETWORK', 'NOT_JSON', 'INTERNAL_ERROR']);
/** The messenger was asked: a message of it is in the dialog, failed or with an unknown outcome. */
const STORED: ReadonlySet<string> = new Set(['PROVIDER_ERROR', 'BILLING_ERROR']);

/**
 * Own texts on their way. Free texts have no idempotency key, so the page never sends one a second time by itself: when
 * an answer is lost, it looks whether the message is there.
 */
export class SendingStore {
  private list: readonly Sending[] = [];
  private readonly listeners = new Set<() => void>();
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly dialog: DialogStore,
    /** Of a text that certainly did not go out. */
    private readonly onRefused: (sending: Sending, error: unknown) => void,
  ) {}

  start(): void {
    this.stopListening = this.dialog.subscribe(() => {
      const said = new Set(this.dialog.getState().messages.map(({ key }) => key));
      if (this.list.some(({ key }) => said.has(key))) this.set(this.list.filter(({ key }) => !said.has(key)));
    });
  }

  getState = (): readonly Sending[] => this.list;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  send(given: Pick<Sending, 'kind' | 'text' | 'media'>, call: SendCall): void {
    const answering = call();
    const own: Sending = {
      ...given,
      ...{
        key: `own-${answering.requestId}`,
        at: new Date(serverNow()).toISOString(),
        state: 'sending',
        error: null,
      },
      before: new Set(this.dialog.getState().messages.map(({ message }) => message.id)),
      by: presentUser(),
    };
    this.set([...this.list, own]);
    this.dialog.messages.send(own.key, answering.requestId, own.text);
    answering.then(
      (answer) => this.answered(own, answer),
      (error: unknown) => void this.failed(own, error),
    );
  }

  discard(key: string): void {
    this.dialog.messages.discard(key);
    this.set(this.list.filter((sending) => sending.key !== key));
  }

  stop(): void {
    this.stopListening();
  }

  private answered(own: Sending, { id, ...answer }: { id: string } & Partial<ListedMessage>): void {
    this.become(own, {
      ...{ id, message_id: null, role: 'OPERATOR', error: null, sent_at: null, media: own.media },
      ...{ type: own.kind === 'note' ? NOTE : (own.media?.kind ?? 'text'), text: own.text },
      ...{ status: answer.status ?? 'sent', created_at: answer.created_at ?? own.at },
      ...{ message_id: answer.message_id ?? null, content: null, quoted: null, referral: null },
      ...{ pricing: null, edited_at: null, deleted_at: null, author: answer.author ?? presentAuthor() },
    });
  }

  private async failed(own: Sending, error: unknown): Promise<void> {
    const code = error instanceof ApiError ? error.code : '';
    if (LOST.has(code)) {
      this.change(own.key, { state: 'checking', error });
      await this.look(own, error);
    } else if (STORED.has(code)) {
      const found = await this.find(own).catch(() => undefined);
      if (found) this.become(own, found);
      if (!found || found.status === 'failed') this.refuse(own, error);
    } else this.refuse(own, error);
  }

  /** Until it is certain whether the message is there, also when the dialog was closed meanwhile. */
  private async look(own: Sending, error: unknown): Promise<void> {
    const waits = [...LOOKS_MS];
    let wait = waits.shift();
    while (wait !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!this.has(own) || own.by !== presentUser()) return;
      try {
        const found = await this.find(own);
        if (found) return this.become(own, found);
        wait = waits.shift();
      } catch {
        // There is no connection yet.
        wait = OFFLINE_MS;
      }
    }
    this.refuse(own, error);
  }

  private async find(own: Sending): Promise<ListedMessage | undefined> {
    const newest = await this.dialog.readNewest();
    const keys = new Map(this.dialog.getState().messages.map(({ key, message }) => [message.id, key]));
    return (
      newest.find(({ id }) => keys.get(id) === own.key) ??
      newest.find(
        ({ id, role, type, text, media }) =>
          role === 'OPERATOR' &&
          (type === NOTE) === (own.kind === 'note') &&
          text === own.text &&
          (media?.id ?? null) === (own.media?.id ?? null) &&
          !own.before.has(id) &&
          // Another one of the same words has it already.
          (keys.get(id) ?? id) === id,
      )
    );
  }

  private become(own: Sending, message: ListedMessage): void {
    this.dialog.messages.sent(own.key, message.id);
    if (!this.dialog.knows(message.id)) this.dialog.takeMessage(message);
    this.set(this.list.filter(({ key }) => key !== own.key));
  }

  private refuse(own: Sending, error: unknown): void {
    if (own.by !== presentUser()) return;
    this.change(own.key, { state: 'failed', error });
    this.onRefused(own, error);
  }

  private has(own: Sending): boolean {
    return this.list.some(({ key }) => key === own.key);
  }

  private change(key: string, fields: Partial<Sending>): void {
    this.set(this.list.map((sending) => (sending.key === key ? { ...sending, ...fields } : sending)));
  }

  private set(list: readonly Sending[]): void {
    this.list = list;
    for (const listener of this.listeners) listener();
  }
}
