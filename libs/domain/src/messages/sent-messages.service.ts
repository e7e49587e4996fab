import { idOrNothing } from '@app/contracts/uuid.format';
import type { Message } from '@app/contracts/message.words';
import { SentMessageRepository } from '@app/persistence/messages/sent-message.repository';
import { Injectable } from '@nestjs/common';
import { sendingVisibilityOf, type Principal } from '../accounts/principal.rules';
import { presentBatch, type BatchAnswer } from './batch-answer.presenter';
import { BatchNotFoundError, MessageNotFoundError } from './message.errors';
import { presentMessage } from './message.presenter';

/** The outcomes of messages, for callers that ask later. */
@Injectable()
export class SentMessages {
  constructor(private readonly messages: SentMessageRepository) {}

  /** @throws MessageNotFoundError */
  async getMessage(by: Principal, id: string): Promise<Message> {
    const row = await this.messages.find(sendingVisibilityOf(by), idOrNothing(id));
    if (!row) throw new MessageNotFoundError('id');
    return presentMessage(row);
  }

  /** @throws BatchNotFoundError */
  async getBatch(by: Principal, id: string): Promise<BatchAnswer> {
    const of = sendingVisibilityOf(by);
    const batch = await this.messages.findBatch(of, idOrNothing(id));
    if (!batch) throw new BatchNotFoundError();
    return presentBatch(batch.id, await this.messages.ofBatch(of.accountId, batch.id));
  }
}
