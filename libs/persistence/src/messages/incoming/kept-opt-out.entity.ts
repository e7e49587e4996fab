import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../accounts/account.entity';
import { CLOCK } from '../../database/column-defaults';

/** That a customer had opted out whose dialog was erased: a new dialog of the customer begins opted out. */
@Entity('kept_opt_outs')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
export class KeptOptOutEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** Of the number and the customer, by a key that is not in the database: it tells nothing of either. */
  @PrimaryColumn('bytea')
  mark: Buffer;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
