import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';

/**
 * A dialog without activity that could not be erased. It has no foreign key to the dialog: that would wait for whoever holds
 * the dialog, which may be the reason.
 */
@Entity('erasure_retries')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('erasure_retries_due', ['account_id', 'due_at'])
export class ErasureRetryEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** When it is tried again. */
  @Column('timestamptz')
  due_at: Date;
}
