import type { ChatBook } from '../chats/chat-book';
import type { Chat, MessageState, SentMessage } from '../chats/chat.words';
import type { StateOrder } from '../magic/magic-acts';
import type { PendingTimers } from '../pending-timers';
import type { StateDelays } from '../sandbox-options';
import type { ProviderFormatter, ReportedState } from './provider-formatter';

const RANKS: Readonly<Record<MessageState, number>> = {
  accepted: 0,
  sent: 1,
  delivered: 2,
  read: 3,
  failed: 4,
};

/** Takes accepted messages through their states: shows them in the chat and lets the provider report them. */
export class StateReporter {
  /** Whether a person has the chat open. */
  isOpen: (chat: Chat) => boolean = () => false;

  constructor(
    private readonly book: ChatBook,
    private readonly timers: PendingTimers,
    private readonly delays: StateDelays,
    private readonly readAfterMs: number | null,
    private readonly formatterOf: (sent: SentMessage) => ProviderFormatter,
  ) {}

  /** Fails the message after it was accepted. */
  fail(sent: SentMessage, code: number, lost: boolean): void {
    sent.readable = false;
    this.after(this.delays.sent + this.extra(lost), sent, 'failed', code);
  }

  /** @param code the error with which `failed-after-sent` ends. */
  begin(sent: SentMessage, order: StateOrder, lost: boolean, code: number | null = null): void {
    const extra = this.extra(lost);
    const { enqueued } = this.delays;
    const sentAt = this.delays.sent + extra;
    const deliveredAt = this.delays.delivered + extra;
    const between = Math.max(deliveredAt - sentAt, 1);
    if (sent.gupshupId !== null) this.after(enqueued + extra, sent, 'enqueued');
    switch (order) {
      case 'ordinary':
      case 'doubled':
      case 'never-read':
        sent.readable = order !== 'never-read';
        sent.times = order === 'doubled' ? 2 : 1;
        this.after(sentAt, sent, 'sent');
        this.after(deliveredAt, sent, 'delivered');
        return;
      case 'before-answer':
        this.after(deliveredAt, sent, 'delivered');
        return;
      case 'without-delivered':
        this.after(sentAt, sent, 'sent');
        this.after(deliveredAt, sent, 'read');
        return;
      case 'reversed':
        this.after(sentAt, sent, 'read');
        this.after(deliveredAt, sent, 'delivered');
        this.after(deliveredAt + between, sent, 'sent');
        return;
      case 'failed-after-sent':
        sent.readable = false;
        this.after(sentAt, sent, 'sent');
        this.after(deliveredAt, sent, 'failed', code);
        return;
      case 'only-sent':
        sent.readable = false;
        this.after(sentAt, sent, 'sent');
    }
  }

  /** What a person does at the handset by opening a chat. */
  readAll(chat: Chat): void {
    for (const message of chat.messages) {
      if (message.from === 'business' && isSent(message) && message.state === 'delivered') this.read(message);
    }
  }

  /** Shows a state in the chat without reporting it. */
  show(sent: SentMessage, { state, code }: ReportedState): void {
    if (state === 'enqueued' || RANKS[state] <= RANKS[sent.state]) return;
    sent.state = state;
    sent.errorCode = code;
    this.book.changed(sent.chat, sent);
  }

  private after(
    milliseconds: number,
    sent: SentMessage,
    state: ReportedState['state'],
    code: number | null = null,
  ) {
    this.timers.after(milliseconds, () => this.reach(sent, { state, code }));
  }

  private reach(sent: SentMessage, reported: ReportedState): void {
    const before = sent.state;
    this.show(sent, reported);
    this.report(sent, reported);
    if (reported.state !== 'delivered' || before === 'read') return;
    if (this.isOpen(sent.chat)) this.read(sent);
    else if (this.readAfterMs !== null) this.timers.after(this.readAfterMs, () => this.read(sent));
  }

  private read(sent: SentMessage): void {
    if (!sent.readable || sent.state === 'read') return;
    const reported: ReportedState = { state: 'read', code: null };
    this.show(sent, reported);
    this.report(sent, reported);
  }

  private report(sent: SentMessage, reported: ReportedState): void {
    const formatter = this.formatterOf(sent);
    formatter.reportState(sent, reported);
    if (sent.times === 2 && reported.state !== 'enqueued')
      this.timers.after(this.delays.enqueued, () => formatter.reportState(sent, reported));
  }

  private extra(lost: boolean): number {
    return lost ? this.delays.lost : 0;
  }
}

const isSent = (message: object): message is SentMessage => 'readable' in message;
