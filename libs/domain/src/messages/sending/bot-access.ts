import { CodedError } from '@app/contracts/coded.errors';
import { idOrNothing } from '@app/contracts/uuid.format';
import { BotOwnerRepository, type BotOwner } from '@app/persistence/messages/sending/bot-owner.repository';
import { Injectable } from '@nestjs/common';
import { isPerson, type Principal } from '../../accounts/principal.rules';

export class BotNotFoundError extends CodedError {
  readonly code = 'BOT_NOT_FOUND';

  constructor() {
    super('There is no such bot. Check bot_id.');
  }
}

/** The bot exists, in this or another account, and is not among the caller's. */
export class BotForbiddenError extends CodedError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super('This bot is not among those that the key or the person may use.');
  }
}

/** The bots that a caller may use. */
@Injectable()
export class BotAccess {
  constructor(private readonly bots: BotOwnerRepository) {}

  /**
   * The bot, for a caller that is attached to it. Only of a bot may a key learn that it exists: the specification has
   * different answers for an unknown bot and for one that is not attached to the key. A person gets one for both.
   * @throws BotNotFoundError, BotForbiddenError
   */
  async requireBot(by: Principal, botId: string): Promise<BotOwner> {
    if (by.accountId === null) throw new BotForbiddenError();
    const bot = await this.bots.find(by.accountId, idOrNothing(botId));
    if (!bot) throw new BotNotFoundError();
    if (bot.accountId === by.accountId && by.botIds.includes(bot.botId)) return bot;
    throw isPerson(by) ? new BotNotFoundError() : new BotForbiddenError();
  }
}
