import { randomUUIDv7 } from 'node:crypto';
import type { Message } from '@app/contracts/message.words';
import { NoteRepository } from '@app/persistence/messages/note.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { threadCallOf } from '../leads/lead.call';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { presentMessage } from './message.presenter';

/** What colleagues write to each other in a dialog. Neither the customer nor a model sees it. */
@Injectable()
export class DialogNotes {
  constructor(
    private readonly notes: NoteRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Adds a note. It starts no takeover, and what waits goes on waiting.
   * @throws ThreadNotFoundError
   */
  async add(by: Principal, threadId: string, text: string): Promise<Message> {
    const row = await this.notes.add(visibilityOf(by), threadCallOf(by, threadId), randomUUIDv7(), text);
    if (!row) throw new ThreadNotFoundError();
    this.eventNotifier.notify();
    return presentMessage(row);
  }
}
