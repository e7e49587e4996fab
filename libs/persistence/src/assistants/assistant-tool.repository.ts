import type { ToolFact, ToolMethod } from '@app/contracts/tool.words';
import { Injectable } from '@nestjs/common';
import { violatedIndex } from '../database/database.errors';
import { Database, type PreparedStatement } from '../database/database.service';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a tool is, but for its headers. */
export interface ToolDefinition {
  name: string;
  description: string;
  method: ToolMethod;
  url: string;
  /** The schema of the arguments that the model gives. */
  parameters: JsonSchema;
  /** Arguments that the model does not give, by their names. */
  auto_fill: Readonly<Record<string, ToolFact>>;
  timeout_ms: number;
  enabled: boolean;
}

/** A tool as it may be shown: all but the headers' values. */
export interface ToolRow extends ToolDefinition {
  id: string;
  assistant_id: string;
  header_names: string[];
  created_at: Date;
}

/** Names and values of headers, sealed as one text. */
export interface SealedHeaders {
  names: string[];
  /** Null: there are none. */
  sealed: { keyId: string; sealed: Buffer } | null;
}

/** A tool that an agent may call now. */
export interface CallableToolRow extends Omit<ToolDefinition, 'enabled'> {
  id: string;
  headers_key_id: string | null;
  headers: Buffer | null;
}

export interface ToolOwner {
  accountId: string;
  assistantId: string;
}

/** More of them than this a model does not keep apart. */
export const TOOLS_MAX = 32;

const SHOWN = `t.id, t.assistant_id, t.name, t.description, t.method, t.url, t.parameters, t.auto_fill, t.header_names,
  t.timeout_ms, t.enabled, t.created_at`;

const LIST: PreparedStatement = {
  name: 'tool-list',
  text: `SELECT ${SHOWN} FROM assistant_tools t
          WHERE t.account_id = $1 AND t.assistant_id = $2 AND t.id > $3 ORDER BY t.id LIMIT $4`,
};
const FIND: PreparedStatement = {
  name: 'tool-find',
  text: `SELECT ${SHOWN} FROM assistant_tools t WHERE t.account_id = $1 AND t.assistant_id = $2 AND t.id = $3`,
};
const CALLABLE: PreparedStatement = {
  name: 'tool-callable',
  text: `SELECT id, name, description, method, url, parameters, auto_fill, timeout_ms, headers_key_id, headers
           FROM assistant_tools WHERE account_id = $1 AND assistant_id = $2 AND enabled ORDER BY id LIMIT ${TOOLS_MAX}`,
};

/** Calls at the same moment may all find room; of what they make too many the agent is given none. */
const CREATE: PreparedStatement = {
  name: 'tool-create',
  text: `INSERT INTO assistant_tools AS t (account_id, assistant_id, id, name, description, method, url, parameters, auto_fill,
           timeout_ms, enabled, header_names, headers_key_id, headers)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
          WHERE (SELECT count(*) FROM assistant_tools WHERE account_id = $1 AND assistant_id = $2) < ${TOOLS_MAX}
         RETURNING ${SHOWN}`,
};
const CHANGE: PreparedStatement = {
  name: 'tool-change',
  text: `UPDATE assistant_tools t
            SET name = coalesce($4, name), description = coalesce($5, description), method = coalesce($6, method),
                url = coalesce($7, url), parameters = coalesce($8::json, parameters),
                auto_fill = coalesce($9::jsonb, auto_fill), timeout_ms = coalesce($10::integer, timeout_ms),
                enabled = coalesce($11::boolean, enabled), header_names = coalesce($12::text[], header_names),
                headers_key_id = CASE WHEN $12::text[] IS NULL THEN headers_key_id ELSE $13 END,
                headers = CASE WHEN $12::text[] IS NULL THEN headers ELSE $14::bytea END
          WHERE t.account_id = $1 AND t.assistant_id = $2 AND t.id = $3
         RETURNING ${SHOWN}`,
};
const REMOVE: PreparedStatement = {
  name: 'tool-remove',
  text: `DELETE FROM assistant_tools t WHERE t.account_id = $1 AND t.assistant_id = $2 AND t.id = $3 RETURNING ${SHOWN}`,
};

/** The values that the statements for making and for changing have in common, $4 to $14. */
const valuesOf = (given: Partial<ToolDefinition>, headers: SealedHeaders | null): unknown[] => [
  ...[given.name, given.description, given.method, given.url].map((text) => text ?? null),
  ...[given.parameters, given.auto_fill].map((json) => (json ? JSON.stringify(json) : null)),
  ...[given.timeout_ms ?? null, given.enabled ?? null],
  ...[headers?.names ?? null, headers?.sealed?.keyId ?? null, headers?.sealed?.sealed ?? null],
];

/** Agents' tools. */
@Injectable()
export class AssistantToolRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their making. */
  async list({ accountId, assistantId }: ToolOwner, afterId: string, limit: number): Promise<ToolRow[]> {
    return this.database.run<ToolRow>(LIST, [accountId, assistantId, afterId, limit]);
  }

  async find({ accountId, assistantId }: ToolOwner, id: string): Promise<ToolRow | null> {
    const [tool] = await this.database.run<ToolRow>(FIND, [accountId, assistantId, id]);
    return tool ?? null;
  }

  /** Those that are switched on, with their headers as they are sealed. */
  async findCallable({ accountId, assistantId }: ToolOwner): Promise<CallableToolRow[]> {
    return this.database.run<CallableToolRow>(CALLABLE, [accountId, assistantId]);
  }

  async create(
    { accountId, assistantId }: ToolOwner,
    id: string,
    given: ToolDefinition,
    headers: SealedHeaders,
  ): Promise<ToolRow | 'exists' | 'too_many'> {
    const values = [accountId, assistantId, id, ...valuesOf(given, headers)];
    return unlessExists(async () => (await this.database.run<ToolRow>(CREATE, values))[0] ?? 'too_many');
  }

  /**
   * Changes what is given.
   * @param headers null: those that are there stay.
   * @returns null when the agent has no such tool.
   */
  async change(
    { accountId, assistantId }: ToolOwner,
    id: string,
    given: Partial<ToolDefinition>,
    headers: SealedHeaders | null,
  ): Promise<ToolRow | 'exists' | null> {
    const values = [accountId, assistantId, id, ...valuesOf(given, headers)];
    return unlessExists(async () => (await this.database.run<ToolRow>(CHANGE, values))[0] ?? null);
  }

  /** @returns the tool as it was; null when the agent has no such tool. */
  async remove({ accountId, assistantId }: ToolOwner, id: string): Promise<ToolRow | null> {
    const [tool] = await this.database.run<ToolRow>(REMOVE, [accountId, assistantId, id]);
    return tool ?? null;
  }
}

async function unlessExists<T>(act: () => Promise<T>): Promise<T | 'exists'> {
  try {
    return await act();
  } catch (error) {
    if (violatedIndex(error) === 'assistant_tools_name') return 'exists';
    throw error;
  }
}
