import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK } from '../database/column-defaults';

/** By which a repeated report is recognised. */
@Entity('webhook_marks')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('webhook_marks_age', ['created_at'])
export class WebhookMarkEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('bytea')
  mark: Buffer;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
