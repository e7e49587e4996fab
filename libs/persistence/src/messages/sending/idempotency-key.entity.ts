import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../accounts/account.entity';
import { CLOCK } from '../../database/column-defaults';

/** A call that may be repeated, and its first answer. */
@Entity('idempotency_keys')
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Check('idempotency_keys_of_message_or_batch', '(message_id IS NULL) <> (batch_id IS NULL)')
@Index('idempotency_keys_age', ['created_at'])
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('text')
  operation: string;

  @PrimaryColumn('text')
  key: string;

  /** Of the call. Another call with the same key is refused. */
  @Column('bytea')
  fingerprint: Buffer;

  /** The message that it is about; else a batch. */
  @Column('uuid', { nullable: true })
  message_id: string | null;

  @Column('uuid', { nullable: true })
  batch_id: string | null;

  /** As JSON text; null until there is one. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
