import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK } from '../database/column-defaults';

/**
 * The bytes that an account has in the store, once for each content. The row is there before the bytes are, and is
 * deleted after them, so what the store has is known and counted.
 */
@Entity('media_files')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
export class MediaFileEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** In hexadecimal digits. */
  @PrimaryColumn('text')
  sha256: string;

  /** In bytes. */
  @Column('integer')
  size: number;

  /** Until then some process may write the bytes and name them in `media`. Later, what nothing names is deleted. */
  @Column('timestamptz')
  claim_until: Date;

  /** Some process deletes the bytes. Nobody writes them until the row is gone. */
  @Column('boolean', { default: false })
  is_removed: boolean;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
