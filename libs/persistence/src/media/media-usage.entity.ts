import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { NUMBER } from '../database/column-defaults';

/** How many bytes of its storage quota an account uses: the sum of its rows of `media_files`. */
@Entity('media_usage')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('media_usage_bytes_check', 'bytes >= 0')
export class MediaUsageEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @Column('bigint', { transformer: NUMBER })
  bytes: number;
}
