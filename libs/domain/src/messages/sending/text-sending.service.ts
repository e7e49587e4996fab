import { randomUUIDv7 } from 'node:crypto';
import { CHANNELS_THAT_REQUEST_PHONES } from '@app/contracts/message.words';
import { ValidationError } from '@app/contracts/coded.errors';
import { threadIdOrNothing } from '@app/contracts/uuid.format';
import { OutboxRepository } from '@app/persistence/messages/sending/outbox.repository';
import {
  ThreadChannelRepository,
  type ThreadChannel,
} from '@app/persistence/messages/sending/thread-channel.repository';
import { Injectable } from '@nestjs/common';
import { callOf, visibilityOf, type Principal } from '../../accounts/principal.rules';
import { EventNotifier } from '../../events/event-notifier.service';
import { untilEarlierPermitsAreVoid } from '../../accounts/void-permits';
import { ThreadErasedError, ThreadNotFoundError } from '../../leads/lead.errors';
import { RunPermits } from '../../leads/run-permits';
import { SendingHold } from '../../work/sending-hold.service';
import { ChannelConnections, type OpenChannel } from './channel-connections.service';
import { ElapsedTime } from '../dispatch/elapsed-time';
import { FileGiving, OutgoingFiles, type OutgoingFile } from './file-giving.service';
import type { OutgoingContent } from '../dispatch/message-sender.port';
import { MessengerLimits } from './messenger-limits';
import { dataOf, answerOf, type SentAnswer } from './single-answer.presenter';
import type { SendReservation } from '../dispatch/send-reservation';
import { SingleSending } from './single-sending.service';

/** What a person writes: a text, a file, or a file with the text as its caption. */
export interface WrittenWords {
  text?: string;
  mediaId?: string;
}

/** A dialog that may be written in. */
interface OpenDialog extends ThreadChannel {
  threadId: string;
}

/** The words on their way. */
interface OpenWords {
  dialog: OpenDialog;
  text: string;
  file: OutgoingFile | null;
  content: OutgoingContent;
}

/** An operator's text, file or request for a phone in an open dialog. */
@Injectable()
export class TextSending {
  constructor(
    private readonly threads: ThreadChannelRepository,
    private readonly channels: ChannelConnections,
    private readonly outbox: OutboxRepository,
    private readonly single: SingleSending,
    private readonly limits: MessengerLimits,
    private readonly eventNotifier: EventNotifier,
    private readonly runPermits: RunPermits,
    private readonly files: OutgoingFiles,
    private readonly giving: FileGiving,
    private readonly hold: SendingHold,
  ) {}

  /**
   * Sends the words and starts a takeover, with any key. The provider judges whether the customer's 24 hours are over.
   * After it resolves or throws nothing begins any more that the takeover holds or ends. The provider is given a file
   * first; where it does not take it, nothing is stored and no takeover begins.
   * @throws ThreadNotFoundError, ThreadErasedError, ChannelNotConnectedError, CredentialSealedError, NumberBusyError, NoSlotError,
   * ProviderRefusalError, SendingHeldError
   * @throws ValidationError without text and file, and for a text that is no caption of the file
   * @throws CodedError for a file that cannot be sent
   */
  async send(by: Principal, threadId: string, { text = '', mediaId }: WrittenWords): Promise<SentAnswer> {
    if (text === '' && mediaId === undefined) throw new NothingToSendError();
    const dialog = await this.requireOpen(by, threadId);
    const file = mediaId === undefined ? null : await this.files.find(by, mediaId);
    const open = await this.requireChannel(by, dialog);
    const given = file ? await this.giving.give(by, open, file, text) : { content: textContent(text), by };
    return this.sendBy(open, given.by, { dialog, text, file, content: given.content });
  }

  /**
   * Sends the messenger's own request for the customer's phone with a text above it, as {@link send} sends a text.
   * @throws as {@link send}
   * @throws ValidationError where the provider of the dialog's channel cannot be asked to
   */
  async requestPhone(by: Principal, threadId: string, text: string): Promise<SentAnswer> {
    const dialog = await this.requireOpen(by, threadId);
    if (!CHANNELS_THAT_REQUEST_PHONES.includes(dialog.channel)) throw new NoPhoneRequestsError();
    const open = await this.requireChannel(by, dialog);
    return this.sendBy(open, by, { dialog, text, file: null, content: { type: 'request_phone', text } });
  }

  private async requireOpen(by: Principal, threadId: string): Promise<OpenDialog> {
    const uuid = threadIdOrNothing(threadId);
    const thread = await this.threads.find(visibilityOf(by), uuid);
    if (!thread) throw new ThreadNotFoundError();
    if (thread.erased_at !== null) throw new ThreadErasedError();
    await this.hold.refuse();
    return { ...thread, threadId: uuid };
  }

  private requireChannel(by: Principal, { bot_id: botId, channel }: OpenDialog): Promise<OpenChannel> {
    return this.channels.require(visibilityOf(by).accountId, botId, channel, 'thread_id');
  }

  private async sendBy(open: OpenChannel, by: Principal, words: OpenWords): Promise<SentAnswer> {
    const reservation = this.single.reserve(open, words.dialog.recipient);
    try {
      return await this.sendReserved(open, by, words, reservation);
    } finally {
      reservation.release();
    }
  }

  private async sendReserved(
    open: OpenChannel,
    by: Principal,
    { dialog: { threadId }, text, file, content }: OpenWords,
    reservation: SendReservation,
  ): Promise<SentAnswer> {
    const claim = { token: randomUUIDv7(), milliseconds: this.limits.claimMs };
    const claimed = new ElapsedTime();
    const kept = file ? { type: 'file', kind: file.kind, caption: text } : content;
    const words = {
      ...{ threadId, id: randomUUIDv7(), type: file ? typeOf(file) : content.type, text },
      ...{ mediaId: file?.id ?? null, content: kept, ...callOf(by) },
    };
    const stored = await this.outbox.storeText(visibilityOf(by), words, claim);
    if (!stored) throw new ThreadNotFoundError();
    this.eventNotifier.notify(visibilityOf(by).accountId);
    const message = { ...stored, content, token: claim.token, claimed };
    const [sent] = await Promise.allSettled([
      this.single.send(open, message, reservation),
      ...(stored.has_runs ? [this.untilRunsAreHeld(visibilityOf(by).accountId, threadId)] : []),
    ]);
    if (sent.status === 'rejected') throw sent.reason;
    return dataOf(answerOf(stored, sent.value.stored), sent.value);
  }

  /** What a run's step was permitted before the takeover has begun then, or never does. */
  private async untilRunsAreHeld(accountId: string, threadId: string): Promise<void> {
    // The text has perhaps been sent, so a permit that cannot be looked at is waited for by time.
    await this.runPermits.untilNone(accountId, threadId).catch(untilEarlierPermitsAreVoid);
  }
}

/** A message has a text or a file. */
class NothingToSendError extends ValidationError {
  constructor() {
    super([{ path: 'text', message: 'is required without media_id' }]);
  }
}

/** Gupshup's API has no such message. */
class NoPhoneRequestsError extends ValidationError {
  constructor() {
    super([
      {
        path: 'thread_id',
        message: 'is of a channel whose provider cannot be asked to request a phone: ask for it in a text',
      },
    ]);
  }
}

const textContent = (text: string): OutgoingContent => ({ type: 'text', text });

/** As providers call it: a voice message is audio. */
const typeOf = ({ kind }: OutgoingFile): string => (kind === 'voice' ? 'audio' : kind);
