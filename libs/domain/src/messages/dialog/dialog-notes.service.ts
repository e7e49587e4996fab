import { randomUUIDv7 } from 'node:crypto';
import type { Message } from '@app/contracts/message.words';
import { NoteRepository } from '@app/persistence/messages/dialog/note.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../../accounts/principal.rules';
import { EventNotifier } from '../../events/event-notifier.service';
import { threadCallOf } from '../../leads/lead-edits.service';
import { ErasedThreads } from '../../leads/erased-threads';
import { presentMessage } from './message.presenter';

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
