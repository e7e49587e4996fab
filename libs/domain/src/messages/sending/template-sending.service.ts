import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import type { KnownKey } from '@app/persistence/messages/sending/idempotency.repository';
import type { SendQueueKey } from '@app/persistence/messages/batches/send-queue.repository';
import {
  OutboxRepository,
  type MessageIntent,
  type OutboxOrder,
  type StoredMessage,
} from '@app/persistence/messages/sending/outbox.repository';
import { SentMessageRepository } from '@app/persistence/messages/sending/sent-message.repository';
import { TemplateRepository } from '@app/persistence/templates/template.repository';
import { idOrNothing } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { authorOf, callOf, type Principal } from '../../accounts/principal.rules';
import { EventNotifier } from '../../events/event-notifier.service';
import { BatchWaiting } from '../batches/batch-progress.service';
import { BotAccess } from './bot-access';
import { ChannelConnections, type OpenChannel } from './channel-connections.service';
import { IdempotentAnswers, type IdempotentCall } from './idempotent-answers.service';
import { BatchNotFoundError, IdempotencyInProgressError, QuotaExceededError } from '../dialog/message.errors';
import { ElapsedTime } from '../dispatch/elapsed-time';
import { MessengerLimits } from './messenger-limits';
import { presentBatch, type BatchAnswer } from '../batches/batch-answer.presenter';
import { dataOf, type StoredAnswer, answerOf, answerOfRow } from './single-answer.presenter';
import { retryThroughOutages } from '../dispatch/outage-retry';
import type { SendReservation } from '../dispatch/send-reservation';
import { intentsFor, type Duplicates, type TemplateRecipient } from './template-content';
import { SendQueues } from '../batches/send-queues.service';
import { SingleSending } from './single-sending.service';
import { SendingHold } from '../../work/sending-hold.service';
import { TemplateRecipients, type AskedRecipient } from './template-recipients.service';

/** The call answers when all is settled, or after this time with the remaining messages queued. */
const ANSWER_MS = 25_000;
/** By then the process that had the first call, if it is alive, has answered. */
const ANSWERED_BY_MS = ANSWER_MS + 5_000;

export interface SendTemplateRequest {
  botId: string;
  channel: Channel;
  templateId: string;
  language: string;
  to: AskedRecipient | readonly AskedRecipient[];
  skipDuplicates: boolean;
  /** The lists before it of the same sending, which has one message for each dialog; null: it is no part of one. */
  earlierBatchIds: readonly string[] | null;
}

/** An answer, and whether it belongs to an earlier call. */
export interface SendTemplateAnswer {
  data: object;
  replayed: boolean;
}

interface Order extends Omit<OutboxOrder, 'idempotency' | 'claim' | 'batchId'> {
  queue: SendQueueKey;
}

/** Sends template messages, to one recipient or to a list: stores them, sends them, then answers. */
@Injectable()
export class TemplateSending {
  constructor(
    private readonly bots: BotAccess,
    private readonly channels: ChannelConnections,
    private readonly templates: TemplateRepository,
    private readonly recipients: TemplateRecipients,
    private readonly outbox: OutboxRepository,
    private readonly messages: SentMessageRepository,
    private readonly accounts: AccountRepository,
    private readonly answers: IdempotentAnswers,
    private readonly single: SingleSending,
    private readonly queues: SendQueues,
    private readonly waiting: BatchWaiting,
    private readonly limits: MessengerLimits,
    private readonly eventNotifier: EventNotifier,
    private readonly hold: SendingHold,
  ) {}

  /**
   * @throws BotNotFoundError, BotForbiddenError, ChannelNotConnectedError, CredentialSealedError, QuotaExceededError,
   * IdempotencyKeyReusedError, IdempotencyInProgressError, SendingHeldError, ThreadNotFoundError, ThreadErasedError, and for a single recipient NumberBusyError,
   * NoSlotError and ProviderRefusalError.
   */
  async send(
    by: Principal,
    request: SendTemplateRequest,
    call: IdempotentCall | null,
  ): Promise<SendTemplateAnswer> {
    const { botId, accountId, assistantId } = await this.bots.requireBot(by, request.botId);
    const { channel, templateId, language, to } = request;
    const open = await this.channels.require(accountId, botId, channel);
    const known = call && (await this.answers.find(accountId, call));
    if (call && known) return this.replay(accountId, call, known);
    await this.hold.refuse();
    const registered = await this.templates.resolve(accountId, botId, channel, templateId, language);
    const recipients = await this.recipients.find(by, {
      botId,
      channel,
      to,
      byDialog: request.skipDuplicates || request.earlierBatchIds !== null,
    });
    const duplicates = await this.duplicatesOf({ accountId, botId, channel }, request, recipients);
    const choice = { templateId, language, registered };
    const order: Order = {
      queue: { accountId, botId, channel },
      sending: { accountId, botId, assistantId, channel, role: authorOf(by), ...callOf(by) },
      // A single message is always sent: its answer could not say that it was left out.
      intents: intentsFor(channel, choice, recipients, isList(to) ? duplicates : 'none'),
    };
    const [first] = recipients;
    if (isList(to) || !first) return this.sendMany(order, call);
    const reservation = this.single.reserve(open, first.address);
    try {
      return await this.sendOne(open, order, reservation, call);
    } finally {
      reservation.release();
    }
  }

  /** @throws BatchNotFoundError for lists of another number, and unknown ones. */
  private async duplicatesOf(
    queue: SendQueueKey,
    { skipDuplicates, earlierBatchIds }: SendTemplateRequest,
    recipients: readonly TemplateRecipient[],
  ): Promise<Duplicates> {
    if (earlierBatchIds === null) return skipDuplicates ? 'equal' : 'none';
    if (earlierBatchIds.length === 0) return { dialogs: new Set() };
    const threadIds = recipients.flatMap(({ threadId }) => threadId ?? []);
    const ids = earlierBatchIds.map((id) => idOrNothing(id).toLowerCase());
    const earlier = await this.messages.dialogsOfBatches(queue, ids, threadIds);
    const isKnown = new Set(earlier.batchIds);
    if (!ids.every((id) => isKnown.has(id))) throw new BatchNotFoundError('earlier_batch_ids');
    return { dialogs: new Set(earlier.threadIds) };
  }

  private async sendOne(
    open: OpenChannel,
    order: Order,
    reservation: SendReservation,
    call: IdempotentCall | null,
  ): Promise<SendTemplateAnswer> {
    const { accountId } = order.queue;
    const claim = { token: randomUUIDv7(), milliseconds: this.limits.claimMs };
    const claimed = new ElapsedTime();
    const outcome = await this.store({ ...order, batchId: null, claim }, call);
    if (!('stored' in outcome)) return outcome;
    const [message] = outcome.stored as [StoredMessage];
    const [intent] = order.intents as [MessageIntent];
    const { phone: recipient, content } = intent;
    const sending = { ...message, recipient, content, token: claim.token, claimed };
    const result = await this.single.send(open, sending, reservation);
    const answer = answerOf({ ...message, recipient }, result.stored);
    // A repeated call may have returned the message's outcome meanwhile.
    const kept = call ? await this.answers.keep(accountId, call, message.id, answer) : answer;
    return { data: dataOf(kept, result), replayed: false };
  }

  private async sendMany(order: Order, call: IdempotentCall | null): Promise<SendTemplateAnswer> {
    const { accountId } = order.queue;
    const batchId = randomUUIDv7();
    const outcome = await this.store({ ...order, batchId, claim: null }, call);
    if (!('stored' in outcome)) return outcome;
    this.queues.notify(order.queue);
    const answerBy = performance.now() + ANSWER_MS;
    await this.waiting.untilSettled(accountId, batchId, ANSWER_MS);
    const leftMs = answerBy - performance.now();
    const data = await retryThroughOutages(() => this.answerBatch(accountId, batchId, call), leftMs);
    return { data, replayed: false };
  }

  private async store(
    order: Omit<OutboxOrder, 'idempotency'>,
    call: IdempotentCall | null,
  ): Promise<{ stored: StoredMessage[] } | SendTemplateAnswer> {
    const { accountId } = order.sending;
    const outcome = await this.outbox.store({ ...order, idempotency: this.answers.toStore(call) });
    if ('stored' in outcome) {
      this.eventNotifier.notify(accountId);
      return outcome;
    }
    if (outcome.refused === 'quota') throw await this.quotaRefusal(accountId, order);
    const known = call && (await this.answers.find(accountId, call));
    if (!call || !known) throw new IdempotencyInProgressError();
    return this.replay(accountId, call, known);
  }

  private async quotaRefusal(
    accountId: string,
    { intents }: Pick<OutboxOrder, 'intents'>,
  ): Promise<QuotaExceededError> {
    const wanted = intents.filter(({ duplicate }) => !duplicate).length;
    const account = await this.accounts.find(accountId);
    const left = Math.max(0, (account?.monthly_message_quota ?? 0) - (account?.quota_used ?? 0));
    return new QuotaExceededError(wanted, left, account?.quota_reset_at ?? new Date());
  }

  /** The first answer or, where its process died before it answered, an answer from the stored messages. */
  private async replay(
    accountId: string,
    call: IdempotentCall,
    known: KnownKey,
  ): Promise<SendTemplateAnswer> {
    const { message_id: messageId, batch_id: batchId, answer, age_ms: ageMs } = known;
    if (answer !== null) return replayOf(JSON.parse(answer) as StoredAnswer<object>);
    if (batchId !== null) {
      const isOpen = await this.messages.isOpen(accountId, batchId);
      if (isOpen && ageMs < ANSWERED_BY_MS) throw new IdempotencyInProgressError();
      return { data: await this.answerBatch(accountId, batchId, call), replayed: true };
    }
    const row = await this.messages.own(accountId, messageId ?? '');
    if (!row || row.status === 'sending') throw new IdempotencyInProgressError();
    const kept = await this.answers.keep(accountId, call, row.id, answerOfRow(row));
    return replayOf(kept);
  }

  private async answerBatch(
    accountId: string,
    batchId: string,
    call: IdempotentCall | null,
  ): Promise<BatchAnswer> {
    const answer = presentBatch(batchId, await this.messages.ofBatch(accountId, batchId));
    return call ? dataOf(await this.answers.keep(accountId, call, batchId, { data: answer })) : answer;
  }
}

const isList = (to: SendTemplateRequest['to']): to is readonly AskedRecipient[] => Array.isArray(to);

/** @throws ProviderRefusalError where the first call was refused. */
const replayOf = (kept: StoredAnswer<object>): SendTemplateAnswer => ({
  data: dataOf(kept, { replayed: true }),
  replayed: true,
});
