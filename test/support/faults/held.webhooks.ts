import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { ServerProcess } from '../programs/server.process';
import { cloudBody, type Change } from '../stand-ins/cloud.webhooks';
import { eventually } from '../eventually';
import { untilWaiting } from './waiting.sessions';

/** The item of which every stored webhook notifies. */
const ANY_WEBHOOK = JSON.stringify(['inbound-webhooks', null, 'any']);
const TAKEN_WITHIN_MS = 60_000;

/** A webhook that has come but is not handled before {@link letGo}: as one that an outage keeps back. */
export async function holdBack(pool: Pool, changes: readonly Change[]): Promise<void> {
  await pool.query(
    `INSERT INTO webhook_deliveries (provider, body, due_at) VALUES ('cloud', $1, 'infinity')`,
    [Buffer.from(cloudBody(changes))],
  );
}

/**
 * Has everything taken apart that was held back.
 * @param notifies as a process does that stores a webhook and has no free slot; otherwise a sweep finds it
 */
export async function letGo(pool: Pool, { notifies = false } = {}): Promise<void> {
  await pool.query(`UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE due_at = 'infinity'`);
  if (notifies) await notify(pool);
  await untilTaken(pool);
}

const notify = (pool: Pool) =>
  pool.query(`SELECT pg_notify('leadline_work', $1)`, [`${randomUUID()}${ANY_WEBHOOK}`]);

/**
 * Has what was held back claimed by a process that stands still from then on, for longer than its lease: it goes on by
 * SIGCONT with a webhook in its hands of which it has taken nothing in. No other process may take webhooks in.
 */
export async function stopWithClaim(pool: Pool, taker: ServerProcess): Promise<void> {
  const session = await pool.connect();
  try {
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await session.query('BEGIN');
    await session.query('LOCK TABLE webhook_deliveries IN SHARE ROW EXCLUSIVE MODE');
    await session.query(`UPDATE webhook_deliveries SET due_at = clock_timestamp() WHERE due_at = 'infinity'`);
    await notify(pool);
    await untilWaiting(pool, 1, { behind: rows[0]?.pid });
    await taker.kill('SIGSTOP');
    await session.query('COMMIT');
  } finally {
    await session.query('ROLLBACK');
    session.release();
  }
  const end = `UPDATE webhook_deliveries SET lease_until = now() - interval '1 second' WHERE lease_token IS NOT NULL`;
  const isClaimed = async (): Promise<boolean> => ((await pool.query(end)).rowCount ?? 0) > 0;
  await eventually(isClaimed, TAKEN_WITHIN_MS, 'the webhook was not claimed');
}

/** Waits until nothing that came in is left to be taken apart, but for what is held back. */
export async function untilTaken(pool: Pool): Promise<void> {
  const due = `SELECT 1 FROM webhook_deliveries WHERE state = 'due' AND due_at < 'infinity' LIMIT 1`;
  const none = async (): Promise<boolean> => (await pool.query(due)).rowCount === 0;
  await eventually(none, TAKEN_WITHIN_MS, 'the webhooks were not taken apart');
}
