import type { Channel, TroubleCode } from '@app/contracts/message.words';
import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  VirtualColumn,
  ForeignKey,
  OneToMany,
} from 'typeorm';
import { CLOCK } from '../database/column-defaults';
import { AssistantEntity } from '../assistants/assistant.entity';
import { AccountEntity } from '../accounts/account.entity';

/** Whether a row of `bot_channels` is stopped now. A stop may have an end. */
export const isStopped = (row: string): string =>
  `(${row}.stopped_at IS NOT NULL AND coalesce(${row}.stopped_until > clock_timestamp(), true))`;

/** Names a number of a bot. What it names is another one once the bot has another number, or the number another bot. */
export const identityOf = (row: string): string =>
  `concat_ws('/', ${row}.account_id, ${row}.bot_id, ${row}.channel, ${row}.sender)`;

/** Whether it can send: it has a credential, and nothing stops it. */
export const isConnected = (row: string): string =>
  `(${row}.credential IS NOT NULL AND NOT ${isStopped(row)})`;

/** A number of a bot, and its connection to the provider. */
@Entity('bot_channels')
@Check('bot_channels_app_secret_with_key', '(app_secret IS NULL) = (app_secret_key_id IS NULL)')
@Check('bot_channels_credential_with_key', '(credential IS NULL) = (credential_key_id IS NULL)')
@Check('bot_channels_end_of_a_stop', '(stopped_until IS NOT NULL) <= (stopped_at IS NOT NULL)')
@Check('bot_channels_lease_with_end', '(lease_token IS NULL) = (lease_until IS NULL)')
@Check(
  'bot_channels_messages_per_second_check',
  '(messages_per_second >= 1) AND (messages_per_second <= 10000)',
)
@Check('bot_channels_trouble_with_time', '(trouble_code IS NULL) = (trouble_at IS NULL)')
@Index('bot_channels_app_secrets', ['channel', 'sender'], { where: 'app_secret IS NOT NULL' })
@Index('bot_channels_in_trouble', ['account_id', 'bot_id', 'channel'], { where: 'trouble_code IS NOT NULL' })
@Index('bot_channels_by_sender', ['channel', 'sender'])
@Index('bot_channels_sender', ['channel', 'sender'], { unique: true, where: 'credential IS NOT NULL' })
export class BotChannelEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  bot_id: string;

  @PrimaryColumn('text')
  channel: Channel;

  /** The number, or the provider's other name for the sender. */
  @Column('text')
  sender: string;

  /** Its phone with the plus; null: the sender says it, or the provider has not been asked. */
  @Column('text', { nullable: true })
  phone: string | null;

  /** The provider's settings besides the credential. */
  @Column('jsonb', { default: {} })
  settings: Record<string, string>;

  @Column('text', { nullable: true })
  credential_key_id: string | null;

  /** Sealed; null: not connected. */
  @Column('bytea', { nullable: true, select: false })
  credential: Buffer | null;

  @Column('text', { nullable: true })
  app_secret_key_id: string | null;

  /** Of an own app at Meta, sealed; null: webhooks of the number are signed by an app of the installation. */
  @Column('bytea', { nullable: true, select: false })
  app_secret: Buffer | null;

  /** Null: the provider's default pace. */
  @Column('integer', { nullable: true })
  messages_per_second: number | null;

  /** When the provider began to refuse messages from it. */
  @Column('timestamptz', { nullable: true })
  stopped_at: Date | null;

  @Column('text', { nullable: true })
  stopped_reason: string | null;

  /** The end of a pause that the provider asked for. */
  @Column('timestamptz', { nullable: true })
  paused_until: Date | null;

  /** The process that sends what is queued. */
  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** The provider's time of its last report about the number. */
  @Column('timestamptz', { nullable: true })
  reported_at: Date | null;

  /** Null: for good, or not stopped. */
  @Column('timestamptz', { nullable: true })
  stopped_until: Date | null;

  /** Why it sends nothing until a person has seen to it; null: it is not known to be in trouble. */
  @Column('text', { nullable: true })
  trouble_code: TroubleCode | null;

  @Column('timestamptz', { nullable: true })
  trouble_at: Date | null;

  /** How often the connection has changed. */
  @Column('integer', { default: 0 })
  revision: number;

  /** Of its account. */
  @VirtualColumn('text', {
    query: (number) => `(SELECT a.default_country FROM accounts a WHERE a.id = ${number}.account_id)`,
  })
  default_country: string | null;

  /** Whether it can send now. */
  @VirtualColumn('boolean', { query: isConnected })
  connected: boolean;

  /** Why it cannot, where something stopped it. */
  @VirtualColumn('text', {
    query: (number) => `CASE WHEN ${isStopped(number)} THEN ${number}.stopped_reason END`,
  })
  stopped_because: string | null;

  /** Named by its class name, because the class stands below. */
  @ManyToOne('BotEntity', 'channels')
  @JoinColumn([
    { name: 'account_id', referencedColumnName: 'account_id' },
    { name: 'bot_id', referencedColumnName: 'id' },
  ])
  bot: object;
}

/** Speaks for an agent by its numbers, one for each channel. */
@Entity('bots')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('bots_id', ['id'])
export class BotEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @OneToMany(() => BotChannelEntity, (number) => number.bot)
  channels: BotChannelEntity[];
}
