import type { StageKind } from '@app/contracts/stage.kinds';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A stage of an agent's funnel. Archived, never deleted: histories and leads refer to it. */
@Entity('statuses')
export class StatusEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'assistant_id' })
  assistantId: string;

  @Column('text')
  name: string;

  /** The name as it is compared, by our own folding and never the database's locale. */
  @Column('text', { name: 'name_folded' })
  nameFolded: string;

  @Column('text')
  kind: StageKind;

  @Column('integer')
  order: number;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean', { name: 'ai_enabled' })
  aiEnabled: boolean;

  @Column('boolean', { name: 'ai_transition_locked' })
  aiTransitionLocked: boolean;

  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt: Date | null;
}
