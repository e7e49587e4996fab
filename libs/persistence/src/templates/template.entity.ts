import type { Channel } from '@app/contracts/message.words';
import type {
  ParameterFormat,
  TemplateButton,
  TemplateCategory,
  TemplateHeader,
  TemplateQuality,
  TemplateStatus,
} from '@app/contracts/template.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { BotChannelEntity } from '../bots/bot.entity';
import { CLOCK } from '../database/column-defaults';

/** A template of a bot's registry. */
@Entity('templates')
@ForeignKey(() => BotChannelEntity, ['account_id', 'bot_id', 'channel'], ['account_id', 'bot_id', 'channel'])
@Check('templates_parameter_format_check', `parameter_format IN ('positional', 'named')`)
@Check('templates_params_count_check', 'params_count >= 0')
@Check(
  'templates_status_check',
  `status IN ('draft', 'pending', 'approved', 'rejected', 'paused', 'disabled')`,
)
@Index('templates_at_provider', ['account_id', 'bot_id', 'channel', 'name', 'language'], { unique: true })
@Index('templates_known_as', ['account_id', 'bot_id', 'channel', 'template_id', 'language'], { unique: true })
export class TemplateEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  /** Our name for it. Its languages share the name. */
  @Column('text')
  template_id: string;

  /** The provider's name for it. */
  @Column('text')
  name: string;

  @Column('text')
  language: string;

  @Column('text')
  category: TemplateCategory;

  @Column('text')
  status: TemplateStatus;

  /** The provider's id; null until it is known. */
  @Column('text', { nullable: true })
  provider_id: string | null;

  @Column('text', { default: 'positional' })
  parameter_format: ParameterFormat;

  @Column('jsonb', { nullable: true })
  header: TemplateHeader | null;

  @Column('text')
  body: string;

  @Column('text', { nullable: true })
  footer: string | null;

  @Column('jsonb', { default: [] })
  buttons: TemplateButton[];

  @Column('jsonb', { default: {} })
  examples: { header?: string; media_id?: string; body?: string[] };

  /** Of an authentication template: WhatsApp adds its advice to share the code with nobody. */
  @Column('boolean', { default: false })
  add_security_recommendation: boolean;

  /** Of an authentication template: for how long its footer says that the code is good; null: it has no footer. */
  @Column('integer', { nullable: true })
  code_expiration_minutes: number | null;

  /** Distinct variables of the body. */
  @Column('integer')
  params_count: number;

  /** The names of the body's variables in the order of their first occurrence; empty where they are numbers. */
  @Column('text', { array: true, default: [] })
  param_names: string[];

  /** How customers have taken it, as the provider judges; null: it has not said so. */
  @Column('text', { nullable: true })
  quality: TemplateQuality | null;

  /** Why it was refused, paused or disabled, or why its state is unknown. */
  @Column('text', { nullable: true })
  reason: string | null;

  /**
   * The time of the provider's last report about it, by the provider's clock where the report has a time; null: no
   * report yet.
   */
  @Column('timestamptz', { nullable: true })
  status_at: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @Column('timestamptz', { default: CLOCK })
  updated_at: Date;

  /** Shows whether it was changed since it was read: `updated_at` in full precision. */
  @VirtualColumn('text', { query: (template) => `${template}.updated_at::text`, select: false })
  mark: string;
}

/** A template of a bot's registry. */
export type TemplateRow = Omit<TemplateEntity, 'mark'>;

/** The part of a template that can be changed until it is approved, and the counts derived from it. */
export type TemplateContent = Pick<
  TemplateRow,
  | 'category'
  | 'header'
  | 'body'
  | 'footer'
  | 'buttons'
  | 'examples'
  | 'params_count'
  | 'param_names'
  | 'add_security_recommendation'
  | 'code_expiration_minutes'
>;
