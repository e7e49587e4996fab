import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity';

/** How many recipients an account has written to in a calendar month. */
@Entity('quota_usage')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('quota_usage_used_check', 'used >= 0')
@Check('quota_usage_told_percent_check', 'told_percent IN (0, 80, 100)')
export class QuotaUsageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** Its first day, in UTC. */
  @PrimaryColumn('date')
  month: string;

  @Column('integer')
  used: number;

  /** The highest mark of the quota that was told, in percent; 0: none. */
  @Column('integer', { default: 0 })
  told_percent: number;
}
