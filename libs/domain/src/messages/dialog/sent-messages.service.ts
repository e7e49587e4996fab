import { idOrNothing } from '@app/contracts/uuid.format';
import type { Message } from '@app/contracts/message.words';
import { BatchListRepository } from '@app/persistence/messages/batches/batch-list.repository';
import { SentMessageRepository } from '@app/persistence/messages/sending/sent-message.repository';
import { Injectable } from '@nestjs/common';
import { sendingVisibilityOf, type Principal } from '../../accounts/principal.rules';
import {
  presentBatch,
  presentListedBatch,
  type BatchAnswer,
  type ListedBatch,
} from '../batches/batch-answer.presenter';
import { BotAccess } from '../sending/bot-access';
import { BatchNotFoundError, MessageNotFoundError } from './message.errors';
import { presentMessage } from './message.presenter';

/** The outcomes of messages, for callers that ask later. */
@Injectable()
export class SentMessages {
  constructor(
    private readonly messages: SentMessageRepository,
    private readonly batches: BatchListRepository,
    private readonly bots: BotAccess,
  ) {}

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
    if (!batch) throw new BatchNotFoundError('batch_id');
    return presentBatch(batch.id, await this.messages.ofBatch(of.accountId, batch.id));
  }

  /**
   * Lists that the caller may see, newest first.
   * @param before the id of the list that the page begins after; null for the newest ones
   * @throws BotNotFoundError, BotForbiddenError
   */
  async getBatches(
    by: Principal,
    botId: string | null,
    before: string | null,
    limit: number,
  ): Promise<ListedBatch[]> {
    const of = sendingVisibilityOf(by);
    if (botId !== null) await this.bots.requireBot(by, botId);
    return (await this.batches.page(of, botId, before, limit)).map(presentListedBatch);
  }
}
