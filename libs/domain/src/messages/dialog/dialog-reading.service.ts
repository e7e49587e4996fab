import { randomUUIDv7 } from 'node:crypto';
import type { Message } from '@app/contracts/message.words';
import { formatThreadId, idOrNothing } from '@app/contracts/uuid.format';
import { NoteRepository } from '@app/persistence/messages/dialog/note.repository';
import { ReadingRepository, type MarkedRead } from '@app/persistence/messages/dialog/reading.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../../accounts/principal.rules';
import { EventNotifier } from '../../events/event-notifier.service';
import { ErasedThreads } from '../../leads/erased-threads';
import { threadCallOf } from '../../leads/lead-edits.service';
import { SendingHold } from '../../work/sending-hold.service';
import { MessageSenders } from '../dispatch/message-sender.port';
import { ChannelConnections } from '../sending/channel-connections.service';
import { MessageNotFoundError } from './message.errors';
import { presentMessage } from './message.presenter';

interface MarkReadRequest {
  threadId: string;
  /** Our id of the last message that was read. */
  upTo: string;
  /** Whether the customer sees it. */
  tellCustomer: boolean;
}

interface MarkReadAnswer {
  thread_id: string;
  changed: boolean;
  unread_count: number;
}

/** What people have read. */
@Injectable()
export class DialogReading {
  constructor(
    private readonly reading: ReadingRepository,
    private readonly channels: ChannelConnections,
    private readonly senders: MessageSenders,
    private readonly eventNotifier: EventNotifier,
    private readonly erased: ErasedThreads,
    private readonly hold: SendingHold,
  ) {}

  /**
   * Marks a dialog's messages as read up to one of them. The customer is told afterwards, which is not awaited and not tried
   * again, and left out while sending is held: the mark is ours, whatever the provider makes of it.
   * @throws ThreadNotFoundError, ThreadErasedError, MessageNotFoundError
   */
  async markRead(by: Principal, { threadId, upTo, tellCustomer }: MarkReadRequest): Promise<MarkReadAnswer> {
    const of = visibilityOf(by);
    const call = threadCallOf(by, threadId);
    const marked = await this.reading.markRead(of, call, idOrNothing(upTo), tellCustomer);
    if (marked === 'no_thread') return this.erased.refuse(of, call.threadId);
    if (marked === 'no_message') throw new MessageNotFoundError('up_to');
    if (marked.changed) this.eventNotifier.notify(of.accountId);
    if (tellCustomer) void this.tell(of.accountId, marked).catch(() => undefined);
    const { changed, unread_count } = marked;
    return { thread_id: formatThreadId(call.threadId), changed, unread_count };
  }

  private async tell(accountId: string, { bot_id, channel, newest_read: newest }: MarkedRead): Promise<void> {
    if (newest === null || this.hold.mayBeHeld) return;
    const open = await this.channels.findForWork(accountId, bot_id, channel);
    if (open) await this.senders.of(channel).markRead(open.connection, newest, false);
  }
}

/** What colleagues write to each other in a dialog. Neither the customer nor a model sees it. */
@Injectable()
export class DialogNotes {
  constructor(
    private readonly notes: NoteRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly erased: ErasedThreads,
  ) {}

  /**
   * Adds a note. It starts no takeover, and what waits goes on waiting.
   * @throws ThreadNotFoundError, ThreadErasedError
   */
  async add(by: Principal, threadId: string, text: string): Promise<Message> {
    const [of, call] = [visibilityOf(by), threadCallOf(by, threadId)];
    const row =
      (await this.notes.add(of, call, randomUUIDv7(), text)) ?? (await this.erased.refuse(of, call.threadId));
    this.eventNotifier.notify(of.accountId);
    return presentMessage(row);
  }
}
