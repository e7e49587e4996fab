import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A dialog that has open runs: `threads.has_runs` is true as long as the row is there, and both change under the
 * thread's lock. One process at a time serves it.
 */
@Entity('scenario_queues')
@Index('scenario_queues_due', ['account_id', 'due_at'])
export class ScenarioQueueEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** When one of its runs is to be looked at; `infinity`: when something happens. */
  @Column('timestamptz')
  due_at: Date;

  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  /** The end of the permit for an effect outside: a message or a call is about to begin. */
  @Column('timestamptz', { nullable: true })
  permit_until: Date | null;
}
