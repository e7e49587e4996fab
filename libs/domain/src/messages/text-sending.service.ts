import { randomUUIDv7 } from 'node:crypto';
import { threadIdOrNothing } from '@app/contracts/thread-id.format';
import { OutboxRepository } from '@app/persistence/messages/outbox.repository';
import { ThreadChannelRepository } from '@app/persistence/messages/thread-channel.repository';
import { Injectable } from '@nestjs/common';
import { actorOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventBell } from '../events/event-bell.service';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { ChannelConnections } from './channel-connections.service';
import { ChannelNotConnectedError } from './message.errors';
import { MessengerLimits } from './messenger.limits';
import { dataOf } from './kept.answer';
import { answerOf, type SentAnswer } from './single-answer.presenter';
import { SingleSending } from './single-sending.service';

/** A person's words in an open dialog. */
@Injectable()
export class TextSending {
  constructor(
    private readonly dialogs: ThreadChannelRepository,
    private readonly channels: ChannelConnections,
    private readonly outbox: OutboxRepository,
    private readonly single: SingleSending,
    private readonly limits: MessengerLimits,
    private readonly bell: EventBell,
  ) {}

  /**
   * Sends the text and starts a takeover, whoever calls. Whether the customer's 24 hours are over, the provider judges.
   * @throws ThreadNotFoundError, ChannelNotConnectedError, ProviderRefusalError
   */
  async send(by: Principal, threadId: string, text: string): Promise<SentAnswer> {
    const of = visibilityOf(by);
    const uuid = threadIdOrNothing(threadId);
    const dialog = await this.dialogs.find(of, uuid);
    if (!dialog) throw new ThreadNotFoundError();
    const open = await this.channels.find(of.accountId, dialog.bot_id, dialog.channel);
    if (!open) throw new ChannelNotConnectedError('thread_id');
    const claim = { token: randomUUIDv7(), milliseconds: this.limits.claimMs };
    const claimedAt = performance.now();
    const content = { type: 'text', text };
    const words = { threadId: uuid, id: randomUUIDv7(), text, content, actor: actorOf(by) };
    const stored = await this.outbox.storeText(of, words, claim);
    if (!stored) throw new ThreadNotFoundError();
    this.bell.ring();
    const result = await this.single.send(open, { ...stored, content, token: claim.token, claimedAt });
    return dataOf(answerOf(stored, result.stored), result);
  }
}
