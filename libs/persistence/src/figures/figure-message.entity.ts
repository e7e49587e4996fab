import type { Channel, MessageError, MessageRole, MessageStatus } from '@app/contracts/message.words';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What figures need of a message of ours. It has nothing of the customer, and stays when the customer is erased.
 */
@Entity('figure_messages')
@Index('figure_messages_at', ['account_id', 'assistant_id', 'at', 'role', 'began_at'], { where: 'counts' })
@Index('figure_messages_answered', { synchronize: false })
@Index(
  'figure_messages_templates',
  [
    ...['account_id', 'bot_id', 'at', 'channel', 'template', 'language', 'status', 'replied'],
    ...['error_code', 'provider_code'],
  ],
  { where: 'template IS NOT NULL' },
)
export class FigureMessageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  message_id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  /** When the message was stored. */
  @Column('timestamptz')
  at: Date;

  @Column('text')
  role: MessageRole;

  @Column('text')
  status: MessageStatus;

  /** Whether it counts: it has neither failed nor been dropped. */
  @Column('boolean')
  counts: boolean;

  /** Of a first answer: when the customer's message came that began to wait for it. */
  @Column('timestamptz', { nullable: true })
  began_at: Date | null;

  /** The template by the name that the provider got; null: it is no template. */
  @Column('text', { nullable: true })
  template: string | null;

  @Column('text', { nullable: true })
  language: string | null;

  /** Whether the customer wrote within 24 hours after it. */
  @Column('boolean', { default: false })
  replied: boolean;

  @Column('text', { nullable: true })
  error_code: MessageError['code'] | null;

  @Column('integer', { nullable: true })
  provider_code: number | null;
}
