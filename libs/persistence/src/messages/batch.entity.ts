import type { Channel } from '@app/contracts/message.words';
import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK } from '../database/column.defaults';

/** Messages that one call sent to a list of recipients. */
@Entity('batches')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('batches_total_check', 'total > 0')
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
}
