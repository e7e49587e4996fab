import type { AttentionReason } from '@app/contracts/lead.words';
import { Check, Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { CLOCK } from '../database/column-defaults';
import { isStateOf } from '../database/sql.statements';
import { REPLY_STATES, type ReplyState } from '../threads/reply-states';

/** An answer of the agent that is due. */
@Entity('replies')
@Check('replies_lease_with_end', '(lease_token IS NULL) = (lease_until IS NULL)')
@Check('replies_state_check', isStateOf(REPLY_STATES, 'state'))
@Index('replies_due', ['account_id', 'due_at'], { where: "state = 'due'" })
@Index('replies_leased', ['account_id'], { where: 'lease_token IS NOT NULL' })
@Index('replies_message', ['account_id', 'message_id'], { unique: true })
@Index('replies_over', ['created_at'], { where: "state <> 'due'" })
@Index('replies_thread', { synchronize: false })
export class ReplyEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid')
  thread_id: string;

  /** The customer's message that it answers. */
  @Column('uuid')
  message_id: string;

  /** The `ai_epoch` of its dialog for which it is valid. */
  @Column('bigint')
  epoch: string;

  @Column('text', { default: 'due' })
  state: ReplyState;

  @Column('timestamptz')
  due_at: Date;

  /** Whether a part of it may have reached the customer. */
  @Column('boolean', { default: false })
  part_sent: boolean;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  /** The process that works on it. */
  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  /** Of the call that asked for it, as W3C `traceparent`; null: its message has it. */
  @Column('text', { nullable: true })
  trace: string | null;

  /** Until then it waits for what its customer sent; set when it is claimed first. */
  @Column('timestamptz', { nullable: true })
  waits_until: Date | null;

  /** How often a process claimed it. */
  @Column('integer', { default: 0 })
  attempts: number;

  /** Parts that were sent, or may have been. */
  @Column('integer', { default: 0 })
  parts: number;

  /** Calls of tools so far. */
  @Column('integer', { default: 0 })
  tool_calls: number;

  /** Why nothing was said, where it failed; null: it has not, or a former version ended it. */
  @Column('text', { nullable: true })
  failure: AttentionReason | null;

  /** Tries in which the model failed. */
  @Column('integer', { default: 0 })
  model_failures: number;
}
