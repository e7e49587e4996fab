import type { Actor, StatusSetBy } from '@app/contracts/lead.words';
import type { Channel } from '@app/contracts/message.words';
import type { ImportFailure, ImportFault } from '@app/contracts/transfer.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AssistantEntity } from '../assistants/assistant.entity';
import { BotEntity } from '../bots/bot.entity';
import { CLOCK } from '../database/column-defaults';
import { isStateOf, type States } from '../database/sql.statements';

/** The states of an import, each with those that may follow it. Callers see none that is loading. */
const STORED_IMPORT_STATES = {
  /** Its rows are being stored. Whoever uploads it has no answer yet; what a killed process leaves is deleted. */
  loading: ['running', 'done'],
  running: ['done', 'failed', 'cancelled'],
  done: [],
  failed: [],
  cancelled: [],
} as const satisfies States;

type StoredImportState = keyof typeof STORED_IMPORT_STATES;

/** A file of leads that is taken in. Its rows stand in `import_chunks` until they are. */
@Entity('imports')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@ForeignKey(() => BotEntity, ['account_id', 'bot_id'], ['account_id', 'id'])
@Check('imports_state_check', isStateOf(STORED_IMPORT_STATES, 'state'))
@Check('imports_ended_check', `(finished_at IS NOT NULL) = (state IN ('done', 'failed', 'cancelled'))`)
@Check('imports_failure_check', `(failure IS NOT NULL) = (state = 'failed')`)
@Check('imports_counts_check', 'done = ((created_rows + moved_rows) + unchanged_rows) + faulty_rows')
@Index('imports_due', ['account_id', 'due_at'], { where: `state = 'running'` })
@Index('imports_old', ['created_at'])
export class ImportEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('uuid')
  bot_id: string;

  @Column('text')
  channel: Channel;

  /** Changes nothing. */
  @Column('boolean')
  dry_run: boolean;

  @Column('boolean')
  start_scenarios: boolean;

  /** Names of columns of its file that are not known. */
  @Column('text', { array: true, default: [] })
  ignored_columns: string[];

  /** Who called, as the history shows it, and by which call. */
  @Column('text')
  set_by: StatusSetBy;

  @Column('jsonb')
  actor: Actor;

  @Column('text', { nullable: true })
  request_id: string | null;

  @Column('text', { default: 'loading' })
  state: StoredImportState;

  @Column('text', { nullable: true })
  failure: ImportFailure | null;

  /** Of the file, without its header and its empty rows. */
  @Column('integer', { default: 0 })
  rows: number;

  /** How many of them have been taken in, and what became of them. */
  @Column('integer', { default: 0 })
  done: number;

  @Column('integer', { default: 0 })
  created_rows: number;

  @Column('integer', { default: 0 })
  moved_rows: number;

  @Column('integer', { default: 0 })
  unchanged_rows: number;

  @Column('integer', { default: 0 })
  faulty_rows: number;

  /** What scenarios would do, where nothing is changed. */
  @Column('integer', { default: 0 })
  would_run: number;

  @Column('integer', { default: 0 })
  would_send: number;

  /** How often in a row its next chunk failed by a fault of the service. */
  @Column('integer', { default: 0 })
  failures: number;

  /** When its next chunk is taken in. */
  @Column('timestamptz', { default: CLOCK })
  due_at: Date;

  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  finished_at: Date | null;
}

/** A row of a file that can be taken in, or says what is wrong with it. Empty cells are left out. */
export interface ImportRow {
  row: number;
  /** Where it is right. */
  phone?: string;
  /** The address by which the dialog of the phone is found. */
  contact?: string;
  name?: string;
  /** As the file has them: the name or the id of a stage, and the name, address or id of a person. */
  status?: string;
  assignee?: string;
  /** What is wrong with it; then it has nothing else. */
  faults?: Omit<ImportFault, 'row'>[];
}

/** Some rows of an import, in the order of the file. They are taken in together, and then gone. */
@Entity('import_chunks')
@ForeignKey(() => ImportEntity, ['account_id', 'import_id'], ['account_id', 'id'], { onDelete: 'CASCADE' })
export class ImportChunkEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  import_id: string;

  /** The number of the first of them. */
  @PrimaryColumn('integer')
  first_row: number;

  /** Null: they have been taken in. */
  @Column('jsonb', { nullable: true })
  rows: ImportRow[] | null;

  /** What was wrong with them, once they have been taken in; null: nothing. */
  @Column('jsonb', { nullable: true })
  faults: ImportFault[] | null;
}
