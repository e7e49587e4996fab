import { contactOf } from '@app/contracts/values/phone.words';
import { randomUUIDv7 } from 'node:crypto';
import type { MessageIntent } from '@app/persistence/messages/sending/outbox.repository';
import {
  type Dialog,
  type DialogTransaction,
  actorOf,
} from '@app/persistence/scenarios/runs/dialog-transaction';
import { TemplateRepository, type RegisteredTemplate } from '@app/persistence/templates/template.repository';
import { Injectable, Logger } from '@nestjs/common';
import {
  ChannelConnections,
  SealedCredentialError,
  type OpenChannel,
} from '../../messages/sending/channel-connections.service';
import { type ElapsedTime, TimedSendPermit } from '../../messages/dispatch/elapsed-time';
import { MessageDispatcher } from '../../messages/dispatch/message-dispatcher.service';
import type { OutgoingContent, SendOutcome } from '../../messages/dispatch/message-sender.port';
import { MessengerLimits } from '../../messages/sending/messenger-limits';
import { retryInMs, type Attempt } from '../../messages/dispatch/send-outcome.rules';
import { intentsFor, shownText } from '../../messages/sending/template-content';
import type { SendReservation } from '../../messages/dispatch/send-reservation';
import { type ErrandEnd, type ErrandKey, type ErrandKind, type ReadyErrand, PERMIT_MS } from './errand';
import { RunPaces } from '../runs/run-paces';
import type { MessageOrder } from '../steps/step-decision';

/** Reads that take a moment. Those who ask for the same thing meanwhile share the answer. */
class SharedReads<Value> {
  private readonly underWay = new Map<string, Promise<Value>>();

  /** An answer of null may be older than the question, so it is not taken from a read that was under way. */
  async get(key: string, read: () => Promise<Value>): Promise<Value> {
    const earlier = await this.underWay.get(key);
    return earlier ?? this.underWay.get(key) ?? this.begin(key, read);
  }

  private async begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read().finally(() => this.underWay.delete(key));
    this.underWay.set(key, reading);
    return reading;
  }
}

/** Most tries of one message, each of which was certainly not taken. */
const TRIES_MAX = 10;
const TRY_AGAIN_MS = 1_000;

type TemplateOrder = Extract<MessageOrder['content'], { type: 'template' }>;

/** Messages of runs: at their number's pace, once. */
@Injectable()
export class MessageErrands implements ErrandKind<MessageOrder> {
  readonly kind = 'message';
  private readonly logger = new Logger(MessageErrands.name);
  private readonly channelReads = new SharedReads<OpenChannel | null>();
  private readonly templateReads = new SharedReads<RegisteredTemplate | null>();
  private readonly pauseReads = new SharedReads<number>();

  constructor(
    private readonly channels: ChannelConnections,
    private readonly templates: TemplateRepository,
    private readonly dispatcher: MessageDispatcher,
    private readonly limits: MessengerLimits,
    private readonly paces: RunPaces,
  ) {}

  async prepare(key: ErrandKey, { channel, content }: MessageOrder) {
    const number = `${key.accountId} ${key.botId} ${channel}`;
    const open = await this.channelReads.get(number, () => this.channelOf(key, channel));
    if (!open) {
      const message = 'The bot has no such number connected, or its credential does not open.';
      return { failed: { code: 'CHANNEL_NOT_CONNECTED', message } };
    }
    const registered = content.type === 'template' ? await this.templateOf(key, channel, content) : null;
    const pausedMs = await this.pauseReads.get(number, () => this.dispatcher.pausedMs(open));
    if (pausedMs > 0) return { inMs: this.paces.putOff(open, pausedMs, key.wasPutOff) };
    // Last, for it keeps a slot of the number, which only a ready message gives back.
    const reservation = this.paces.reserve(open, key.recipient, key.wasPutOff);
    if (typeof reservation === 'number') return { inMs: reservation };
    return new ReadyMessage(key, open, reservation, registered, this.dispatcher, this.limits.claimMs);
  }

  private async templateOf(
    { accountId, botId }: ErrandKey,
    channel: MessageOrder['channel'],
    { templateId, language }: TemplateOrder,
  ): Promise<RegisteredTemplate | null> {
    return this.templateReads.get([accountId, botId, channel, language, templateId].join(' '), () =>
      this.templates.resolve(accountId, botId, channel, templateId, language),
    );
  }

  private async channelOf(
    { accountId, botId }: ErrandKey,
    channel: MessageOrder['channel'],
  ): Promise<OpenChannel | null> {
    try {
      return await this.channels.findForWork(accountId, botId, channel);
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error;
      this.logger.error(
        { err: error, bot_id: botId, channel },
        'A scenario cannot send, for the credential of its number does not open.',
      );
      return null;
    }
  }
}

/** A message whose number has a time and a slot for it. */
class ReadyMessage implements ReadyErrand<MessageOrder> {
  /** Who writes next to the customer waits for it. */
  readonly waitLimit = null;
  private stored: { intent: MessageIntent; elapsed: ElapsedTime; token: string } | null = null;

  constructor(
    readonly key: ErrandKey,
    private readonly open: OpenChannel,
    private readonly reservation: SendReservation,
    private readonly registered: RegisteredTemplate | null,
    private readonly dispatcher: MessageDispatcher,
    private readonly claimMs: number,
  ) {}

  get waits(): boolean {
    return this.open.connection.channel !== this.key.channel;
  }

  /** Resolves when its number's time has come. */
  async whenDue(): Promise<void> {
    await this.reservation.use();
  }

  begin(transaction: DialogTransaction, order: MessageOrder, elapsed: ElapsedTime): { messageId?: string } {
    const { botId, assistantId, run } = this.key;
    const { dialog } = transaction.view;
    const acting = { id: run.id, scenarioId: run.scenario_id, name: run.name, depth: run.depth };
    const intent = { ...this.intentOf(dialog, order), run: { id: run.id, actor: actorOf(acting) } };
    transaction.storeMessage({
      ...{ botId, assistantId, channel: order.channel, intent, claimMs: this.claimMs },
      isOwn: order.channel === dialog.channel,
      waitsForTakeover: run.on_takeover !== 'continue',
      counts: order.content.type === 'template',
    });
    this.stored = { intent, elapsed, token: transaction.claimToken };
    return { messageId: intent.id };
  }

  async carryOut(onWritten: () => void): Promise<ErrandEnd> {
    if (!this.stored) throw new Error('a message is carried out that was not stored');
    const { intent, elapsed, token } = this.stored;
    const { accountId, botId } = this.key;
    const { channel } = this.open.connection;
    const attempt: Attempt = {
      ...{ accountId, id: intent.id, token },
      ...{ attempts: this.key.attempts + 1, waitedMs: 0, mayWait: false },
    };
    const dispatched = await this.dispatcher.request(this.open, attempt, {
      recipient: intent.phone,
      content: intent.content as unknown as OutgoingContent,
      permit: new TimedSendPermit(elapsed, PERMIT_MS / 2, onWritten),
      slot: await this.reservation.use(),
    });
    const end = endOf(attempt, dispatched.outcome, this.withheld);
    // Kept with the outcome, so that another process tries again too, where this one is killed now.
    const stored = { ...dispatched.stored, dueMs: end.kind === 'later' ? end.inMs : null };
    await this.dispatcher.keep({ accountId, botId, channel }, { ...dispatched, stored });
    return end;
  }

  private get withheld(): number {
    const { run, index } = this.key;
    return run.progress.find((step) => step.index === index)?.withheld ?? 0;
  }

  release(): void {
    this.reservation.release();
  }

  private intentOf(dialog: Dialog, { channel, content }: MessageOrder): MessageIntent {
    const isOther = channel !== dialog.channel;
    const phone = isOther ? dialog.phone : dialog.recipient;
    if (content.type !== 'template') {
      return {
        id: randomUUIDv7(),
        newThreadId: randomUUIDv7(),
        contact: dialog.contact,
        phone: dialog.recipient,
        ...{ type: content.type, text: shownText([content.text]), content: { ...content }, duplicate: false },
      };
    }
    const { templateId, language, type: _, ...recipient } = content;
    const choice = { templateId, language, registered: this.registered };
    const address = phone ?? dialog.recipient;
    // A dialog is found by its own contact, also where the customer hides the phone.
    const to = { address, contact: isOther ? contactOf(address) : dialog.contact, ...recipient };
    const [intent] = intentsFor(channel, choice, [to], 'none');
    if (!intent) throw new Error('a message without a recipient');
    return intent;
  }
}

/** What a request's outcome means for its step. What certainly was not taken is tried again. */
function endOf(attempt: Attempt, outcome: SendOutcome, withheld: number): ErrandEnd {
  if (outcome.kind === 'accepted') return { kind: 'end', end: { state: 'done' } };
  const { message } = outcome;
  const error = {
    ...{ code: outcome.kind === 'refused' ? outcome.code : 'PROVIDER_ERROR', message },
    provider_code: 'providerCode' in outcome ? outcome.providerCode : null,
  };
  if (outcome.kind === 'unknown') return { kind: 'end', end: { state: 'unknown', error } };
  // No byte left, because this process was held up. That says nothing about the number, and does not count as a try.
  if (outcome.kind === 'withheld' && withheld < TRIES_MAX)
    return { kind: 'later', inMs: TRY_AGAIN_MS, isWithheld: true };
  if (outcome.kind === 'refused' || attempt.attempts >= TRIES_MAX)
    return { kind: 'end', end: { state: 'failed', error } };
  return { kind: 'later', inMs: retryInMs(attempt, outcome) ?? TRY_AGAIN_MS * 2 ** (attempt.attempts - 1) };
}
