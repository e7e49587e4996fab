import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import type { AccountEntity } from '../../accounts/account.entity';
import { type BotChannelEntity, identityOf, isConnected } from '../../bots/bot.entity';
import type { NumberKey } from '../../bots/bot-trouble.repository';
import { Database, WorkDatabase } from '../../database/database.service';
import type { CamelCased, NotNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';

/** Everything needed to send by a number of a bot. The credential is still sealed. */
export type ConnectedChannelRow = Pick<BotChannelEntity, 'sender' | 'settings' | 'messages_per_second'> &
  NotNull<Pick<BotChannelEntity, 'credential_key_id' | 'credential'>>;

/** Whose a number is, and the words by which customers of the account opt out and in. */
export type SenderOwner = CamelCased<
  Pick<BotChannelEntity, 'account_id' | 'bot_id'> & Pick<AccountEntity, 'opt_out_words' | 'opt_in_words'>
> & {
  /** Its business account at Meta; null where the channel has none. */
  businessId: string | null;
  /** By which {@link WebhookDeliveryEntity.signed_for} names it. */
  identity: string;
};

/** @param number a row of `bot_channels` */
export const ownerOfNumber = (number: string): string => `
  ${number}.account_id AS "accountId", ${number}.bot_id AS "botId", ${number}.settings ->> 'waba_id' AS "businessId",
         ${identityOf(number)} AS identity,
         a.opt_out_words AS "optOutWords", a.opt_in_words AS "optInWords"`;

const FIND = statement('channel-connection-find').takes('accountId', 'botId', 'channel')
  .returns<ConnectedChannelRow>(`
  SELECT sender, settings, credential_key_id, credential, messages_per_second FROM bot_channels
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND ${isConnected('bot_channels')}`);

/** A number may be disconnected in one account and connected in another: then it belongs to the latter. */
const BY_SENDER = statement('channel-connection-by-sender').takes('channel', 'sender').returns<SenderOwner>(`
  SELECT ${ownerOfNumber('c')}
    FROM bot_channels c JOIN accounts a ON a.id = c.account_id
   WHERE c.channel = :channel AND c.sender = :sender
   ORDER BY c.credential IS NULL, c.created_at DESC LIMIT 1`);

/** A number with its credential, connected or stopped. */
export type CredentialRow = NumberKey &
  Pick<BotChannelEntity, 'sender' | 'settings' | 'revision'> &
  NotNull<Pick<BotChannelEntity, 'credential_key_id' | 'credential'>>;

const CREDENTIAL = `account_id AS "accountId", bot_id AS "botId", channel, sender, settings, revision, credential_key_id, credential`;

/** Stopped or not: whoever connects it again ends the stop. */
const FIND_CREDENTIAL = statement('channel-connection-find-credential').takes('accountId', 'botId', 'channel')
  .returns<CredentialRow>(`
  SELECT ${CREDENTIAL} FROM bot_channels
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND credential IS NOT NULL`);

/** At most one bot of all accounts has a number's credential. */
const HOLDER = statement('channel-connection-holder').takes('channel', 'sender').returns<CredentialRow>(`
  SELECT ${CREDENTIAL} FROM bot_channels WHERE channel = :channel AND sender = :sender AND credential IS NOT NULL`);

/** The phone of a number, and the country of its account's. */
export type NumberPhoneRow = Pick<BotChannelEntity, 'sender' | 'phone'> &
  Pick<AccountEntity, 'default_country'>;

const FIND_PHONE = statement('channel-connection-find-phone').takes('accountId', 'botId', 'channel')
  .returns<NumberPhoneRow>(`
  SELECT c.sender, c.phone, a.default_country FROM accounts a
    JOIN bot_channels c ON c.account_id = a.id AND c.bot_id = :botId AND c.channel = :channel
   WHERE a.id = :accountId`);

/** Not of a number that was connected in its place meanwhile. */
const KEEP_PHONE = statement('channel-connection-keep-phone').takes(
  'accountId',
  'botId',
  'channel',
  'sender',
  'phone',
).returns(`
  UPDATE bot_channels SET phone = :phone
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND sender = :sender
     AND phone IS DISTINCT FROM :phone`);

const CLOCK = statement('channel-connection-clock').returns<{ now: Date }>('SELECT clock_timestamp() AS now');

/** Numbers of bots, for sending and webhooks. */
@Injectable()
export class ChannelConnectionRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /**
   * For a worker, which must not wait behind its account's calls.
   * @returns null when the bot cannot send by the channel.
   */
  async findForWork(accountId: string, botId: string, channel: Channel): Promise<ConnectedChannelRow | null> {
    const [row] = await this.work.run(FIND, { accountId, botId, channel });
    return row ?? null;
  }

  /**
   * For a call of the account.
   * @returns null when the bot cannot send by the channel.
   */
  async findConnected(
    accountId: string,
    botId: string,
    channel: Channel,
  ): Promise<ConnectedChannelRow | null> {
    const [row] = await this.database.runFor(accountId, FIND, { accountId, botId, channel });
    return row ?? null;
  }

  /** @returns null where no number is connected to the bot's channel. */
  async findCredential(accountId: string, botId: string, channel: Channel): Promise<CredentialRow | null> {
    const [row] = await this.database.runFor(accountId, FIND_CREDENTIAL, { accountId, botId, channel });
    return row ?? null;
  }

  /** The bot to which a number is connected. Searched across accounts, because a number has one owner. */
  async findHolder(channel: Channel, sender: string): Promise<CredentialRow | null> {
    const [row] = await this.database.run(HOLDER, { channel, sender });
    return row ?? null;
  }

  /** @returns null where the bot never had a number on the channel. */
  async findPhone(accountId: string, botId: string, channel: Channel): Promise<NumberPhoneRow | null> {
    const [row] = await this.database.runFor(accountId, FIND_PHONE, { accountId, botId, channel });
    return row ?? null;
  }

  async keepPhone(
    accountId: string,
    botId: string,
    channel: Channel,
    sender: string,
    phone: string,
  ): Promise<void> {
    await this.database.runFor(accountId, KEEP_PHONE, { accountId, botId, channel, sender, phone });
  }

  /** The time by the database's clock. */
  async now(): Promise<Date> {
    const [row] = await this.database.run(CLOCK);
    if (!row) throw new Error('a clock without a time');
    return row.now;
  }

  /** The owner of a number, connected or not. Searched across accounts, because a webhook names only the number. */
  async findBySender(channel: Channel, sender: string): Promise<SenderOwner | null> {
    const [row] = await this.database.run(BY_SENDER, { channel, sender });
    return row ?? null;
  }
}
