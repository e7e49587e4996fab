import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { UserEntity } from './user.entity';

/** A code that stands in for the second factor, once. */
@Entity('recovery_codes')
@ForeignKey(() => UserEntity, ['account_id', 'user_id'], ['account_id', 'id'])
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  user_id: string;

  /** SHA-256 of the code, which has 120 random bits. */
  @PrimaryColumn('bytea')
  code_hash: Buffer;
}
