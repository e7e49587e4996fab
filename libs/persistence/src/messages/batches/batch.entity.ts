import type { Channel } from '@app/contracts/message.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../accounts/account.entity';
import { CLOCK } from '../../database/column-defaults';

/** Messages that one call sent to a list of recipients. */
@Entity('batches')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('batches_total_check', 'total > 0')
@Index('batches_bot', ['account_id', 'bot_id', 'id'])
@Index('batches_unfinished', ['account_id', 'id'], { where: 'finished_at IS NULL' })
export class BatchEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  @Column('integer')
  total: number;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** Its messages have ids between these; null: an older version stored it. */
  @Column('uuid', { nullable: true })
  first_message_id: string | null;

  @Column('uuid', { nullable: true })
  last_message_id: string | null;

  /** When nothing of it was left to be sent; null: something may be. */
  @Column('timestamptz', { nullable: true })
  finished_at: Date | null;

  /** One of its messages behind which all are settled; null: none is known. */
  @Column('uuid', { nullable: true })
  open_message_id: string | null;
}
