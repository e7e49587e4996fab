import type { FunnelPlace } from '@app/contracts/funnel-place.format';
import type { FunnelStage } from '@app/contracts/lead.words';
import type { StageRule } from '@app/contracts/stage.rules';
import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** A stage with all that is set of it. */
export interface StageRow extends FunnelStage {
  assistant_id: string;
  /** To whom it hands every lead that enters it; null: to nobody. */
  on_enter: StageRule | null;
}

/** What is set of a stage, by the names of the columns. */
export type StageSettings = Omit<StageRow, 'id' | 'assistant_id' | 'order'> & { name_folded: string };

/** @property order null: behind the last one. */
export type NewStage = StageSettings & { order: number | null };

export type StageChange = Partial<StageSettings & { order: number }>;

/** An agent with its account. */
export interface FunnelOwner {
  accountId: string;
  assistantId: string;
}

/** More columns than this no board shows, and no model keeps apart. */
export const STAGES_MAX = 100;
export const STAGE_ORDER_MAX = 10_000;

const GIVEN = [
  'name',
  'name_folded',
  'kind',
  '"order"',
  'description',
  'ai_enabled',
  'ai_transition_locked',
  'on_enter',
] as const satisfies readonly (keyof StageSettings | '"order"')[];

const COLUMNS = `s.id, s.assistant_id, s.name, s.kind, s."order", s.description, s.ai_enabled, s.ai_transition_locked, s.on_enter`;

/**
 * Tells the boards of an agent that its funnel is another one. The log numbers what happens to dialogs by their versions;
 * this happens to none of them, so the clock tells one event from another. $1 account
 */
const toldBy = (rows: string): string => `
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT $1, '${NIL_ID}', r.assistant_id, (extract(epoch FROM t.at) * 1000)::bigint, 'funnel', t.at,
         '{"by": "SYSTEM", "actor": null}'
    FROM ${rows} r, (SELECT clock_timestamp() AS at) t`;

/** $1 agent or null $2 place's agent $3 its order $4 its id, or null from the beginning $5 limit */
const LIST: PreparedStatement = {
  name: 'stage-list',
  text: `
  SELECT ${COLUMNS} FROM statuses s
   WHERE ($1::uuid IS NULL OR s.assistant_id = $1) AND s.archived_at IS NULL
     AND ($4::uuid IS NULL OR (s.assistant_id, s."order", s.id) > ($2::uuid, $3::integer, $4))
   ORDER BY s.assistant_id, s."order", s.id LIMIT $5`,
};

const FIND: PreparedStatement = {
  name: 'stage-find',
  text: `
  SELECT s.account_id, ${COLUMNS} FROM statuses s WHERE s.id = $1 AND s.archived_at IS NULL LIMIT 1`,
};

/** $1 account $2 agent */
const LOCK_FUNNEL: PreparedStatement = {
  name: 'stage-lock-funnel',
  text: `SELECT id FROM assistants WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/** $1 account $2 agent $3 id $4 the rest */
const CREATE: PreparedStatement = {
  name: 'stage-create',
  text: `
  WITH funnel AS (
    SELECT count(*) AS stages, coalesce(max("order"), 0) AS last FROM statuses
     WHERE account_id = $1 AND assistant_id = $2 AND archived_at IS NULL),
  made AS (
    INSERT INTO statuses AS s (account_id, assistant_id, id, ${GIVEN.join(', ')})
    SELECT $1, $2, $3, g.name, g.name_folded, g.kind,
           coalesce(g."order", CASE WHEN f.last < ${STAGE_ORDER_MAX} THEN f.last + 1 ELSE f.last END),
           g.description, g.ai_enabled, g.ai_transition_locked, g.on_enter
      FROM funnel f, jsonb_populate_record(NULL::statuses, $4) g WHERE f.stages < ${STAGES_MAX}
    RETURNING ${COLUMNS}),
  told AS (${toldBy('made')})
  SELECT * FROM made`,
};

/**
 * A column that the change does not name keeps what is there; one that it names as null becomes null. Only what is another
 * afterwards is written and told: a call that is repeated has no board opened anew. $1 account $2 id $3 change
 */
const CHANGE: PreparedStatement = {
  name: 'stage-change',
  text: `
  WITH found AS MATERIALIZED (
    SELECT s AS was FROM statuses s WHERE account_id = $1 AND id = $2 AND archived_at IS NULL FOR NO KEY UPDATE),
  wanted AS MATERIALIZED (SELECT was, jsonb_populate_record(was, $3) AS shall FROM found),
  changed AS (
    UPDATE statuses s SET (${GIVEN.join(', ')}) = ROW(${GIVEN.map((column) => `(w.shall).${column}`).join(', ')})
      FROM wanted w WHERE s.account_id = $1 AND s.id = $2 AND w.shall IS DISTINCT FROM w.was
    RETURNING s.assistant_id),
  told AS (${toldBy('changed')})
  SELECT ${COLUMNS} FROM (SELECT (shall).* FROM wanted) s`,
};

/** Agents' funnels as the installation's admin governs them: found across accounts, for a stage tells its agent. */
@Injectable()
export class StageRepository {
  constructor(private readonly database: Database) {}

  /** Funnel by funnel, each in its own order; of one agent when it is given. */
  async list(assistantId: string | null, after: FunnelPlace | null, limit: number): Promise<StageRow[]> {
    const place = [after?.assistantId ?? null, after?.order ?? null, after?.id ?? null];
    return this.database.run<StageRow>(LIST, [assistantId, ...place, limit]);
  }

  async find(id: string): Promise<(StageRow & { account_id: string }) | null> {
    const [stage] = await this.database.run<StageRow & { account_id: string }>(FIND, [id]);
    return stage ?? null;
  }

  /**
   * Makes a stage and tells the boards. The agent's row is locked first: of two calls at once the second one counts the
   * stage of the first.
   */
  async create(
    { accountId, assistantId }: FunnelOwner,
    id: string,
    given: NewStage,
  ): Promise<StageRow | 'too_many'> {
    return this.database.transactFor(accountId, async (transaction) => {
      await transaction.run(LOCK_FUNNEL, [accountId, assistantId]);
      const [made] = await transaction.run<StageRow>(CREATE, [accountId, assistantId, id, given]);
      return made ?? 'too_many';
    });
  }

  /**
   * Changes what is given, and tells the boards if that makes a difference.
   * @returns null when the account has no such stage.
   */
  async change(accountId: string, id: string, change: StageChange): Promise<StageRow | null> {
    const [stage] = await this.database.runFor<StageRow>(accountId, CHANGE, [accountId, id, change]);
    return stage ?? null;
  }
}
