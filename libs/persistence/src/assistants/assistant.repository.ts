import type { StageKind } from '@app/contracts/stage.kinds';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** What an agent is told and allowed, by the names of the columns. */
export interface AssistantSettings {
  instructions: string;
  /** Null: the service's own. */
  model: string | null;
  /** Quiet time after the customer's last message; null: the service's own. */
  reply_delay_ms: number | null;
  reply_parts_max: number;
  reply_characters_max: number;
  replies_per_hour: number;
  /** Kinds of stages that the agent moves no lead into. */
  barred_kinds: StageKind[];
  /** What the customer is told when the agent hands over; null: what the model says then. */
  handover_text: string | null;
  /** How long the agent is silent after a person wrote. */
  auto_return_minutes: number;
}

export interface AssistantRow extends AssistantSettings {
  id: string;
  account_id: string;
  name: string;
  created_at: Date;
}

export type NewAssistant = AssistantSettings & { name: string };

export type AssistantChange = Partial<NewAssistant>;

const GIVEN = [
  'name',
  'instructions',
  'model',
  'reply_delay_ms',
  'reply_parts_max',
  'reply_characters_max',
  'replies_per_hour',
  'barred_kinds',
  'handover_text',
  'auto_return_minutes',
] as const satisfies readonly (keyof NewAssistant)[];

const of = (alias: string): string => GIVEN.map((column) => `${alias}.${column}`).join(', ');
const COLUMNS = `a.id, a.account_id, ${of('a')}, a.created_at`;

const LIST: PreparedStatement = {
  name: 'assistant-list',
  text: `SELECT ${COLUMNS} FROM assistants a WHERE ($1::uuid IS NULL OR a.account_id = $1) AND a.id > $2 ORDER BY a.id LIMIT $3`,
};
const FIND: PreparedStatement = {
  name: 'assistant-find',
  text: `SELECT ${COLUMNS} FROM assistants a WHERE a.id = $1 LIMIT 1`,
};
const CREATE: PreparedStatement = {
  name: 'assistant-create',
  text: `INSERT INTO assistants AS a (account_id, id, ${GIVEN.join(', ')})
         SELECT o.id, $2, ${of('g')} FROM accounts o, jsonb_populate_record(NULL::assistants, $3) g WHERE o.id = $1
         RETURNING ${COLUMNS}`,
};

/** A column that the change does not name keeps what is there; one that it names as null becomes null. */
const CHANGE: PreparedStatement = {
  name: 'assistant-change',
  text: `UPDATE assistants a SET (${GIVEN.join(', ')}) = (SELECT ${of('g')} FROM jsonb_populate_record(a, $3) g)
          WHERE a.account_id = $1 AND a.id = $2
         RETURNING ${COLUMNS}`,
};

/** Agents as the installation's admin governs them: found across accounts, for an agent tells its account. */
@Injectable()
export class AssistantRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their making; of one account when it is given. */
  async list(accountId: string | null, afterId: string, limit: number): Promise<AssistantRow[]> {
    return this.database.run<AssistantRow>(LIST, [accountId, afterId, limit]);
  }

  async find(id: string): Promise<AssistantRow | null> {
    const [assistant] = await this.database.run<AssistantRow>(FIND, [id]);
    return assistant ?? null;
  }

  /** @returns null when there is no such account. */
  async create(accountId: string, id: string, given: NewAssistant): Promise<AssistantRow | null> {
    const [assistant] = await this.database.run<AssistantRow>(CREATE, [accountId, id, given]);
    return assistant ?? null;
  }

  /**
   * Changes what is given.
   * @returns null when the account has no such agent.
   */
  async change(accountId: string, id: string, change: AssistantChange): Promise<AssistantRow | null> {
    const [assistant] = await this.database.run<AssistantRow>(CHANGE, [accountId, id, change]);
    return assistant ?? null;
  }
}
