import type { Actor } from '@app/contracts/lead.words';
import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** Who did it, and what was there before and is now; which of them an event has is a matter of its type. */
export interface EventBody {
  by: string;
  actor: Actor | null;
  from?: string | boolean | null;
  to?: string | boolean | null;
  note?: string;
  message_id?: string;
}

/** What happened to a dialog, in order: its history, and what boards are fed with. */
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

  /** The dialog's, to which this led. */
  @Column('bigint')
  version: string;

  @Column('text')
  type: string;

  @Column('timestamptz')
  at: Date;

  @Column('jsonb')
  body: EventBody;
}
