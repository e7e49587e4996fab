import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A key of one account, or, with the scope `admin` and no account, of the whole installation. The key itself is not kept. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id', nullable: true })
  accountId: string | null;

  @Column('text')
  name: string;

  /** The first characters, by which a person tells keys apart. */
  @Column('text')
  prefix: string;

  /** SHA-256 of the key; enough for 256 random bits. */
  @Column('bytea', { name: 'key_hash', select: false })
  keyHash: Buffer;

  @Column('text', { array: true })
  scopes: string[];

  @Column('uuid', { name: 'bot_ids', array: true })
  botIds: string[];

  @Column('uuid', { name: 'assistant_ids', array: true })
  assistantIds: string[];

  @Column('integer', { name: 'limit_leads', nullable: true })
  limitLeads: number | null;

  @Column('integer', { name: 'limit_general', nullable: true })
  limitGeneral: number | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
