import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { cloudBody, type Change } from '../stand-ins/cloud.webhooks';
import { eventually } from '../eventually';

/** The item of which every stored webhook notifies. */
const ANY_WEBHOOK = JSON.stringify(['inbound-webhooks', null, 'any']);
const TAKEN_WITHIN_MS = 20_000;

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
  if (notifies) await pool.query(`SELECT pg_notify('leadline_work', $1)`, [`${randomUUID()}${ANY_WEBHOOK}`]);
  await untilTaken(pool);
}

/** Waits until nothing that came in is left to be taken apart, but for what is held back. */
export async function untilTaken(pool: Pool): Promise<void> {
  const due = `SELECT 1 FROM webhook_deliveries WHERE state = 'due' AND due_at < 'infinity' LIMIT 1`;
  const none = async (): Promise<boolean> => (await pool.query(due)).rowCount === 0;
  await eventually(none, TAKEN_WITHIN_MS, 'the webhooks were not taken apart');
}
