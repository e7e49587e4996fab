import type { ToolFact, ToolMethod } from '@app/contracts/tool.words';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AssistantEntity } from './assistant.entity';
import { CLOCK } from '../database/column-defaults';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool that an agent may call besides the built-in ones. */
@Entity('assistant_tools')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@Check('assistant_tools_headers_with_key', '(headers IS NULL) = (headers_key_id IS NULL)')
@Check('assistant_tools_method_check', `method IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')`)
@Check('assistant_tools_name_check', `name ~ '^[a-z_][a-z0-9_]{0,63}$'`)
@Check('assistant_tools_timeout_ms_check', '(timeout_ms >= 1000) AND (timeout_ms <= 30000)')
@Index('assistant_tools_name', ['account_id', 'assistant_id', 'name'], { unique: true })
export class AssistantToolEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('text')
  method: ToolMethod;

  @Column('text')
  url: string;

  /**
   * The schema of the arguments that the model gives, with its fields in the given order: a model reads them in that
   * order.
   */
  @Column('json')
  parameters: JsonSchema;

  /** Arguments that the service fills in, by their names. */
  @Column('jsonb')
  auto_fill: Readonly<Record<string, ToolFact>>;

  @Column('text', { array: true })
  header_names: string[];

  @Column('text', { nullable: true })
  headers_key_id: string | null;

  /** Names and values as one sealed text; null: no headers. */
  @Column('bytea', { nullable: true })
  headers: Buffer | null;

  @Column('integer')
  timeout_ms: number;

  @Column('boolean')
  enabled: boolean;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;
}
