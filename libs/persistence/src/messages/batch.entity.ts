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

  /** Between these ids its messages are found; null: stored by an older process. */
  @Column('uuid', { nullable: true })
  first_message_id: string | null;

  @Column('uuid', { nullable: true })
  last_message_id: string | null;
}
