import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { violatedIndex } from '../database/database.errors';
import { Entities } from '../database/entities.service';
import { statement, runWith } from '../database/sql.statements';
import { tellBoardsOf } from '../events/event.statements';
import { BotChannelEntity, BotEntity } from './bot.entity';
import { type NumberKey, appendTroubles, NO_TROUBLE } from './bot-trouble.repository';

export interface NumberOfBot {
  accountId: string;
  botId: string;
  channel: Channel;
  sender: string;
  settings: Readonly<Record<string, string>>;
  /** Null: the present credential stays. */
  credential: { keyId: string; sealed: Buffer } | null;
  /** Undefined: the present one stays; null: it goes. */
  appSecret?: { keyId: string; sealed: Buffer } | null;
  messagesPerSecond: number | null;
  /** As its provider names it; null: it does not. */
  phone: string | null;
  /** Another account's bot that has the number, and its revision by which that was decided; null: nobody has. */
  takenFrom: (NumberKey & Pick<BotChannelEntity, 'revision'>) | null;
}

/** A number as the audit compares it: of its credential and app secret only whether they are others. */
export type AuditedNumber = Pick<
  BotChannelEntity,
  'account_id' | 'bot_id' | 'channel' | 'sender' | 'settings' | 'messages_per_second' | 'stopped_reason'
> &
  Record<'credential' | 'app_secret', 'former' | 'given' | null>;

export type ConnectOutcome = 'connected' | 'sender_taken' | 'credential_missing';

/** Numbers of bots, and how they are connected and disconnected. */
@Injectable()
export class BotChannelRepository {
  constructor(
    @InjectRepository(BotChannelEntity) private readonly numbers: Repository<BotChannelEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Connects a number to a bot's channel, or changes the connected one; ends a stop. The bot's row is locked first,
   * so that of two calls at once the second finds the first one's number. Whoever loses the number by it has an entry
   * as well.
   */
  async connect(
    number: NumberOfBot,
    entryOf: AuditEntryOf<Changed<AuditedNumber>>,
    lossOf: AuditEntryOf<Changed<AuditedNumber>> = () => null,
  ): Promise<ConnectOutcome> {
    try {
      return await this.entities.transactFor(number.accountId, async (manager) => {
        const where = { account_id: number.accountId, id: number.botId };
        const lock = { mode: 'for_no_key_update' } as const;
        await manager.findOneOrFail(BotEntity, { select: { id: true }, where, lock });
        if (number.takenFrom) {
          const { accountId, botId, channel, revision } = number.takenFrom;
          const loss = await disconnectLocked(manager, { accountId, botId, channel }, revision);
          if (!loss) return 'sender_taken';
          await tellBoards(manager, number.takenFrom);
          await this.audit.append(manager, lossOf(loss));
        }
        const change = await connectLocked(manager, number);
        if (!change) return 'credential_missing';
        await tellBoards(manager, number);
        await this.audit.append(manager, entryOf(change));
        return 'connected';
      });
    } catch (error) {
      if (violatedIndex(error) === 'bot_channels_sender') return 'sender_taken';
      throw error;
    }
  }

  /** Deletes the credential and the app secret. The row stays, because dialogs, messages and templates refer to it. */
  async disconnect(
    accountId: string,
    botId: string,
    channel: Channel,
    entryOf: AuditEntryOf<Changed<AuditedNumber>>,
  ): Promise<void> {
    await this.entities.transactFor(accountId, async (manager) => {
      const change = await disconnectLocked(manager, { accountId, botId, channel });
      if (!change) return;
      await tellBoards(manager, { accountId, botId });
      await this.audit.append(manager, entryOf(change));
    });
  }
}

/** Tells the boards of the bot's agent: each waiting card says whether its number can send. */
async function tellBoards(
  manager: EntityManager,
  { accountId, botId }: Pick<NumberKey, 'accountId' | 'botId'>,
): Promise<void> {
  const where = { account_id: accountId, id: botId };
  const bot = await manager.findOneOrFail(BotEntity, { select: { assistant_id: true }, where });
  await tellBoardsOf(manager, accountId, [bot.assistant_id], 'funnel');
}

const auditedOf = (number: BotChannelEntity): AuditedNumber => ({
  ...number,
  credential: number.credential_key_id === null ? null : 'former',
  app_secret: number.app_secret_key_id === null ? null : 'former',
});

const NOT_STOPPED = {
  ...{ stopped_at: null, stopped_reason: null, stopped_until: null },
  ...NO_TROUBLE,
};
const NEXT_REVISION = (): string => 'revision + 1';

/**
 * @param revision by which the caller has decided; undefined: whatever it is
 * @returns null where there is no such number, or it has changed since
 */
async function disconnectLocked(
  manager: EntityManager,
  { accountId, botId, channel }: NumberKey,
  revision?: number,
): Promise<Changed<AuditedNumber> | null> {
  const key = { account_id: accountId, bot_id: botId, channel };
  const lock = { mode: 'for_no_key_update' } as const;
  const known = await manager.findOne(BotChannelEntity, { where: key, lock });
  if (!known || (revision !== undefined && known.revision !== revision)) return null;
  await manager.update(BotChannelEntity, key, {
    ...NOT_STOPPED,
    credential: null,
    credential_key_id: null,
    app_secret: null,
    app_secret_key_id: null,
    paused_until: null,
    revision: NEXT_REVISION,
  });
  const before = auditedOf(known);
  return { before, after: { ...before, stopped_reason: null, credential: null, app_secret: null } };
}

/**
 * An admin has removed the reason for the stop, or for another trouble. A pause belongs to the former number's provider, or to a credential
 * that could not be opened: it ends with another number or credential.
 * @returns null where a credential is missing
 */
async function connectLocked(
  manager: EntityManager,
  number: NumberOfBot,
): Promise<Changed<AuditedNumber> | null> {
  const { accountId, botId, channel, sender, settings, credential, messagesPerSecond, phone } = number;
  const key = { account_id: accountId, bot_id: botId, channel };
  const lock = { mode: 'for_no_key_update' } as const;
  const known = await manager.findOne(BotChannelEntity, { where: key, lock });
  if (!credential && !known?.credential_key_id) return null;
  const isAnother = known?.sender !== sender;
  const isElsewhere = isAnother || known.settings.waba_id !== settings.waba_id;
  // Who knows the secret of one number's app must not speak for the next number of the bot.
  const appSecret = number.appSecret === undefined && isElsewhere ? null : number.appSecret;
  const asked = {
    ...{ sender, settings, messages_per_second: messagesPerSecond },
    ...(credential && { credential_key_id: credential.keyId, credential: credential.sealed }),
    ...(appSecret !== undefined && {
      app_secret_key_id: appSecret?.keyId ?? null,
      app_secret: appSecret?.sealed ?? null,
    }),
  };
  const after: AuditedNumber = {
    ...{ ...key, sender, settings, messages_per_second: messagesPerSecond, stopped_reason: null },
    credential: credential ? 'given' : 'former',
    app_secret: appSecret === undefined ? (known?.app_secret_key_id ? 'former' : null) : appSecret && 'given',
  };
  if (!known) {
    await manager.insert(BotChannelEntity, { ...key, ...asked, phone });
    return { before: null, after };
  }
  await manager.update(BotChannelEntity, key, {
    ...{ ...asked, ...NOT_STOPPED, revision: NEXT_REVISION },
    ...(isAnother && { reported_at: null }),
    ...((isAnother || phone !== null) && { phone }),
    ...((isAnother || credential) && { paused_until: null }),
  });
  if (known.trouble_code !== null) await tellOfEnd(manager, known);
  return { before: auditedOf(known), after };
}

const TROUBLE_ENDED = statement('bot-channel-trouble-ended').takes('accountId', 'botId', 'channel', 'code')
  .returns(`
  WITH number AS (
    SELECT :accountId::uuid AS account_id, :botId::uuid AS bot_id, :channel::text AS channel, :code::text AS code)
  ${appendTroubles('number', null)}`);

/** A person has connected a number that was in trouble. Whether that helped, its next message tells. */
async function tellOfEnd(manager: EntityManager, number: BotChannelEntity): Promise<void> {
  const { account_id: accountId, bot_id: botId, channel, trouble_code: code } = number;
  await runWith(manager, TROUBLE_ENDED, { accountId, botId, channel, code });
}
