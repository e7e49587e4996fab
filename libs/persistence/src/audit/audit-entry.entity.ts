import type { Actor } from '@app/contracts/lead.words';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';

/** Fields of a thing by their names: what an entry shows of it. */
export type AuditedFields = object;

/**
 * Who did what, and what it changed. A trigger of the database refuses every change of an entry, except that an erased
 * customer's name and phone become `erased`, and that an entry older than two years may be deleted.
 */
@Entity('audit_entries')
@Check('audit_entries_actor_is_whole', '(actor_type IS NULL) = (actor_id IS NULL)')
@Index('audit_entries_newest', ['account_id', 'at', 'id'])
@Index('audit_entries_actor', ['account_id', 'actor_id', 'at', 'id'])
@Index('audit_entries_action', ['account_id', 'action', 'at', 'id'])
@Index('audit_entries_subject', ['account_id', 'subject_id', 'at', 'id'])
@Index('audit_entries_age', ['at', 'id'])
@Index('audit_entries_any_actor', ['actor_id', 'at', 'id'])
@Index('audit_entries_any_action', ['action', 'at', 'id'])
@Index('audit_entries_any_subject', ['subject_id', 'at', 'id'])
export class AuditEntryEntity {
  /** The nil id: it belongs to no account. */
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: CLOCK })
  at: Date;

  /** Null, with the id and the name: the service itself, or somebody who was not recognised. */
  @Column('text', { nullable: true })
  actor_type: Actor['type'] | null;

  @Column('text', { nullable: true })
  actor_id: string | null;

  @Column('text', { nullable: true })
  actor_name: string | null;

  /** `<thing>.<verb>`, as in the table of operations. */
  @Column('text')
  action: string;

  @Column('text')
  subject_type: string;

  /** Null where there is no such thing, such as the user of an unknown address. */
  @Column('text', { nullable: true })
  subject_id: string | null;

  @Column('text', { nullable: true })
  subject_name: string | null;

  /** What changed, as it was; null: there was no such thing before. */
  @Column('jsonb', { nullable: true })
  before: AuditedFields | null;

  /** What changed, as it is now; null: the thing is gone, or nothing of it changed. */
  @Column('jsonb', { nullable: true })
  after: AuditedFields | null;

  /** The id of the call; null: it was none, such as a command or a socket's request. */
  @Column('text', { nullable: true })
  request_id: string | null;

  /** The caller's network address; null where it is unknown. */
  @Column('text', { nullable: true })
  ip: string | null;
}
