import type { ImportFault } from '@app/contracts/transfer.words';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ImportEntity } from './import.entity';

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
