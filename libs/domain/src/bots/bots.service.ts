import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { idOrNothing, isUuid, NIL_ID } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/coded.errors';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { BotChannelRepository } from '@app/persistence/bots/bot-channel.repository';
import { BotRepository, type BotChange, type BotRow } from '@app/persistence/bots/bot.repository';
import { Injectable } from '@nestjs/common';
import { AccountCaps } from '../accounts/account-caps';
import { AccountNotFoundError } from '../accounts/account.errors';
import { mayDo, reachOf, type Principal, accountNamed, narrowed } from '../accounts/principal.rules';
import { Audit } from '../audit/audit.service';
import { BotNotFoundError } from '../messages/sending/bot-access';
import { SecretCipher } from '../accounts/secret-cipher.port';
import { appSecretBoundTo, boundTo } from '../messages/sending/channel-connections.service';
import { AUDITED_BOT, AUDITED_NUMBER, presentBot, type Bot } from './bot.presenter';
import { AssistantOfBotNotFoundError, SenderTakenError } from './bot.errors';
import { MISSING, NumberOwnership } from './number-ownership.service';
import { violationsOfNumber, settingsOf } from './number.rules';
import { WebhookAddresses } from './webhook-addresses';

export interface NumberRequest {
  sender: string;
  /** Absent: the present credential stays. */
  credential?: string;
  /** Of an own app at Meta. Absent: the present one stays; null: it goes. */
  appSecret?: string | null;
  settings: Record<string, unknown>;
  /** Absent: the channel's default rate. */
  messagesPerSecond?: number;
}

/** Bots and their numbers. An operator may read those of the own reach. */
@Injectable()
export class BotsService {
  constructor(
    private readonly bots: BotRepository,
    private readonly channels: BotChannelRepository,
    private readonly accounts: AccountRepository,
    private readonly cipher: SecretCipher,
    private readonly ownership: NumberOwnership,
    private readonly addresses: WebhookAddresses,
    private readonly audit: Audit,
    private readonly caps: AccountCaps,
  ) {}

  /** Bots in the order of their creation. With an account, only its bots. */
  async list(by: Principal, accountId: string | null, afterId: string | null, limit: number): Promise<Bot[]> {
    const reach = narrowed(reachOf(by), accountId);
    if (!reach) return [];
    const rows = await this.bots.list(reach, afterId ?? NIL_ID, limit);
    return rows.map((row) => this.shown(by, row));
  }

  /** @throws BotNotFoundError */
  async get(by: Principal, id: string): Promise<Bot> {
    return this.shown(by, await this.require(by, id));
  }

  /**
   * @param named the account; absent: the own one
   * @throws AccountNotFoundError, AssistantOfBotNotFoundError
   */
  async create(by: Principal, named: string | undefined, assistantId: string, name: string): Promise<Bot> {
    const accountId = accountNamed(reachOf(by), named);
    if (!(await this.accounts.find(accountId))) throw new AccountNotFoundError();
    const row = await this.audit.change(by, 'bot.create', AUDITED_BOT, (entryOf) =>
      this.bots.create(accountId, randomUUIDv7(), idOrNothing(assistantId), name, this.caps.bots, entryOf),
    );
    if (!row) throw new AssistantOfBotNotFoundError();
    return this.shown(by, row);
  }

  /**
   * Changes the fields that are given. A new agent answers in dialogs that are opened later.
   * @throws BotNotFoundError, AssistantOfBotNotFoundError
   */
  async change(by: Principal, id: string, { name, assistantId }: BotChange): Promise<Bot> {
    const bot = await this.require(by, id);
    const change = { name, assistantId: assistantId === undefined ? undefined : idOrNothing(assistantId) };
    const row = await this.audit.change(by, 'bot.update', AUDITED_BOT, (entryOf) =>
      this.bots.change(bot.account_id, bot.id, change, entryOf),
    );
    if (!row) throw new AssistantOfBotNotFoundError();
    return this.shown(by, row);
  }

  /**
   * Connects a number that its provider confirms, or changes the connected one. A number that was stopped may send
   * again. Another account that has the number and whose credential works no more loses it.
   * @throws BotNotFoundError, SenderTakenError, NumberUnconfirmedError, or ValidationError for settings that the channel
   * does not accept, and for a number that the provider does not confirm.
   */
  async connect(by: Principal, id: string, channel: Channel, number: NumberRequest): Promise<Bot> {
    reachOf(by);
    const { sender, credential, settings, appSecret, messagesPerSecond } = number;
    const violations = violationsOfNumber(channel, number);
    ValidationError.throwIfAny(violations);
    const bot = await this.require(by, id);
    const asked = { accountId: bot.account_id, botId: bot.id, channel, sender };
    const chosen = settingsOf(channel, settings);
    const confirmed = await this.ownership.require({ ...asked, settings: chosen, credential });
    const bound = boundTo(bot.account_id, bot.id, channel);
    const connecting = {
      ...asked,
      ...confirmed,
      settings: chosen,
      credential: credential === undefined ? null : this.cipher.seal(credential, bound),
      appSecret: this.sealedSecret(appSecret, appSecretBoundTo(bot.account_id, bot.id, channel)),
      messagesPerSecond: messagesPerSecond ?? null,
    };
    // Who loses the number is not told who has it now.
    const outcome = await this.audit.change({ type: null }, 'channel.disconnect', AUDITED_NUMBER, (lossOf) =>
      this.audit.change(by, 'channel.connect', AUDITED_NUMBER, (entryOf) =>
        this.channels.connect(connecting, entryOf, lossOf),
      ),
    );
    if (outcome === 'sender_taken') throw new SenderTakenError(channel, sender);
    if (outcome === 'credential_missing')
      throw new ValidationError([{ path: 'credential', message: MISSING }]);
    return this.get(by, id);
  }

  /**
   * Disconnects a number and deletes its credential and app secret. Does nothing when no number is connected.
   * @throws BotNotFoundError
   */
  async disconnect(by: Principal, id: string, channel: Channel): Promise<Bot> {
    const bot = await this.require(by, id);
    await this.audit.change(by, 'channel.disconnect', AUDITED_NUMBER, (entryOf) =>
      this.channels.disconnect(bot.account_id, bot.id, channel, entryOf),
    );
    return this.get(by, id);
  }

  private sealedSecret(appSecret: string | null | undefined, bound: string) {
    return typeof appSecret === 'string' ? this.cipher.seal(appSecret, bound) : appSecret;
  }

  /** With the addresses of webhooks only for whoever may connect numbers. */
  private shown(by: Principal, row: BotRow): Bot {
    return presentBot(row, mayDo(by, 'channel.connect') ? this.addresses : null);
  }

  private async require(by: Principal, id: string): Promise<BotRow> {
    const reach = reachOf(by);
    const bot = isUuid(id) ? await this.bots.find(reach, id) : null;
    if (!bot) throw new BotNotFoundError();
    return bot;
  }
}
