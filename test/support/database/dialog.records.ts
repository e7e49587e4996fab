import type { Pool } from 'pg';
import { uuidOf } from './thread.uuid';

/** Times as text with every microsecond the database keeps; they compare as text. */
const precise = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export interface KeptThread {
  status_id: string | null;
  status_set_at: string | null;
  status_set_by: string | null;
  status_cleared_at: string | null;
  version: number;
  ai_enabled: boolean;
  takeover: boolean;
  ai_epoch: number;
}

export interface KeptEvent {
  version: number;
  type: string;
  at: string;
  from: string | boolean | null;
  to: string | boolean | null;
}

export interface KeptRun {
  scenario_id: string;
  status_id: string;
  version: number;
}

export interface KeptReply {
  message_id: string;
  epoch: number;
  state: string;
  part_sent: boolean;
}

/** What the database keeps of dialogs, for looking behind the answers; and what other parts will write there. */
export class DialogRecords {
  constructor(private readonly db: Pool) {}

  async thread(threadId: string): Promise<KeptThread> {
    const [row] = await this.rows<KeptThread>(
      `SELECT status_id, ${precise('status_set_at')} AS status_set_at, status_set_by,
              ${precise('status_cleared_at')} AS status_cleared_at, version::float8 AS version, ai_enabled, takeover_until IS NOT NULL AS takeover, ai_epoch::float8 AS ai_epoch
         FROM threads WHERE id = $1`,
      threadId,
    );
    if (!row) throw new Error(`no dialog ${threadId}`);
    return row;
  }

  /** In the order in which they became true. */
  events(threadId: string): Promise<KeptEvent[]> {
    return this.rows<KeptEvent>(
      `SELECT version::float8 AS version, type, ${precise('at')} AS at, body -> 'from' AS from, body -> 'to' AS to
         FROM events WHERE thread_id = $1 ORDER BY seq`,
      threadId,
    );
  }

  runs(threadId: string): Promise<KeptRun[]> {
    return this.rows<KeptRun>(
      `SELECT scenario_id, status_id, version::float8 AS version FROM scenario_runs WHERE thread_id = $1 ORDER BY version, id`,
      threadId,
    );
  }

  replies(threadId: string): Promise<KeptReply[]> {
    return this.rows<KeptReply>(
      `SELECT message_id, epoch::float8 AS epoch, state, part_sent FROM replies WHERE thread_id = $1 ORDER BY id`,
      threadId,
    );
  }

  /** Everything kept of a dialog: equal before and after a call that changed nothing. */
  async everything(threadId: string): Promise<object> {
    const [row] = await this.rows<object>('SELECT * FROM threads WHERE id = $1', threadId);
    return {
      row,
      events: await this.events(threadId),
      runs: await this.runs(threadId),
      replies: await this.replies(threadId),
    };
  }

  /** Writes facts of a dialog that no operation of the interface can bring about yet. */
  async setFacts(threadId: string, assignments: string): Promise<void> {
    await this.db.query(`UPDATE threads SET ${assignments} WHERE id = $1`, [uuidOf(threadId)]);
  }

  /** A part of the reply was sent, as the agent will record it. */
  async sendPart(threadId: string): Promise<void> {
    await this.db.query('UPDATE replies SET part_sent = true WHERE thread_id = $1', [uuidOf(threadId)]);
  }

  private async rows<Row extends object>(text: string, threadId: string): Promise<Row[]> {
    return (await this.db.query<Row>(text, [uuidOf(threadId)])).rows;
  }
}
