import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from './user.entity';

/** The link by which a person sets a password: the newest one of each person, until it is used. */
@Entity('invitations')
@ForeignKey(() => UserEntity, ['account_id', 'user_id'], ['account_id', 'id'])
@Index('invitations_token', ['token_hash'], { unique: true })
export class InvitationEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  user_id: string;

  /** SHA-256 of the token in the link. */
  @Column('bytea')
  token_hash: Buffer;

  @Column('timestamptz')
  expires_at: Date;
}
