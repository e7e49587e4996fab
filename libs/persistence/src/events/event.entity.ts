import type { Actor } from '@app/contracts/lead.words';
import type { RunCause } from '@app/contracts/scenario.words';
import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** Who did it, by which call, the former value and the new one. The type of the event says which of them it has. */
export interface EventBody {
  by: string;
  actor: Actor | null;
  /** The id of the call that caused it; null: the service did it by itself. Events of former versions have none. */
  request_id?: string | null;
  from?: string | boolean | null;
  to?: string | boolean | null;
  note?: string;
  /** Of a person who is asked for: the provider's own number for its refusal of a message. */
  provider_code?: number;
  /** Of a run: who began it, ended it by hand, or had it go on. */
  cause?: RunCause;
  message_id?: string;
}

/** What happened to a dialog, in order: its history, and the feed of the boards. */
@Entity('events')
@Index('events_board', ['account_id', 'assistant_id', 'seq'])
@Index('events_feed', ['seq'])
export class EventEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq: string;

  @Column('uuid')
  assistant_id: string;

  /** The dialog's version after this event. */
  @Column('bigint')
  version: string;

  @Column('text')
  type: string;

  @Column('timestamptz')
  at: Date;

  @Column('jsonb')
  body: EventBody;
}
