import type { Channel } from '@app/contracts/message.words';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { AccountEntity } from '../../accounts/account.entity';
import { CLOCK } from '../../database/column-defaults';

/** A provider's report about a message whose id we did not know yet, or an edit or a deletion of one. */
@Entity('parked_states')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('parked_states_age', ['created_at'])
@Index('parked_states_due', ['next_check_at'], { where: 'next_check_at IS NOT NULL' })
@Index('parked_states_once', ['account_id', 'bot_id', 'channel', 'provider_id', 'state'], { unique: true })
export class ParkedStateEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  @Column('text')
  provider_id: string;

  @Column('text')
  state: string;

  @Column('jsonb')
  body: Record<string, unknown>;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** When its message is searched again; null: not any more. */
  @Column('timestamptz', { nullable: true, default: () => "(clock_timestamp() + '00:00:01')" })
  next_check_at: Date | null;
}
