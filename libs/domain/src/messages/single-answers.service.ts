import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import type { StoredOutcome } from '@app/persistence/messages/outcome.repository';
import {
  SentMessageRepository,
  type SentMessageRow,
} from '@app/persistence/messages/sent-message.repository';
import { Injectable } from '@nestjs/common';
import type { StoredAnswer } from './stored.answer';
import { answerOf, answerOfRow, isReported, type SentAnswer, type Told } from './single-answer.presenter';

/** The answers to callers who sent one message. */
@Injectable()
export class SingleAnswers {
  constructor(private readonly messages: SentMessageRepository) {}

  /**
   * The answer after the request. Where the provider gave no usable one, its webhook may have reported the message
   * meanwhile; then the answer is that it is sent, as a list's would be.
   */
  async after(told: Told, stored: StoredOutcome): Promise<StoredAnswer<SentAnswer>> {
    const row = stored.status === 'unknown' ? await this.rowOf(stored) : null;
    return row && isReported(row) ? answerOfRow(row) : answerOf(told, stored);
  }

  /** Null during an outage: the outcome is stored, and the caller must learn that it is unknown. */
  private async rowOf({ accountId, id }: StoredOutcome): Promise<SentMessageRow | null> {
    try {
      return await this.messages.own(accountId, id);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) return null;
      throw error;
    }
  }
}
