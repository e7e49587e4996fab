import type { Pool } from 'pg';
import { ApiClient } from '../clients/api.client';
import type { AccountFixture } from './fixture';
import type { ScriptedProvider } from '../stand-ins/scripted.provider';

interface KeptSend {
  id: string;
  recipient: string;
  status: string;
  counted: boolean;
  provider_id: string | null;
  batch_id: string | null;
}

/** How many of an account's messages are not settled yet, and how many there are. */
export async function countOpen(pool: Pool, accountId: string): Promise<{ open: number; all: number }> {
  const { rows } = await pool.query<{ open: number; all: number }>(
    `SELECT count(*) FILTER (WHERE status IN ('queued', 'sending'))::int AS open, count(*)::int AS all
       FROM messages WHERE account_id = $1 AND NOT inbound`,
    [accountId],
  );
  return rows[0] ?? { open: 0, all: 0 };
}

/**
 * What is wrong with all that an account has sent, each message to another phone, once everything is settled. Nothing
 * is wrong when each phone was requested at most once, each message is sent or unknown, each sent message was
 * requested, the quota counts what was not given back, and get-batch shows the same.
 * @param server any process
 */
export async function violationsOfSends(
  pool: Pool,
  provider: ScriptedProvider,
  account: AccountFixture,
  server: { url: string },
): Promise<string[]> {
  const { rows } = await pool.query<KeptSend>(
    `SELECT id, recipient, status, quota_month IS NOT NULL AS counted, provider_id, batch_id
       FROM messages WHERE account_id = $1 AND NOT inbound ORDER BY id`,
    [account.id],
  );
  const counts = provider.counts();
  const faults = rows.flatMap((row) => violationsOf(row, counts.get(row.recipient) ?? 0));
  const used = await account.quotaUsed();
  const counted = rows.filter((row) => row.counted).length;
  if (used !== counted) faults.push(`the quota says ${used} and ${counted} messages are counted`);
  for (const batchId of new Set(rows.map((row) => row.batch_id))) {
    if (batchId === null) continue;
    const { body } = await new ApiClient(server.url, account.key).getBatch(batchId);
    const told = new Map<string, string>(
      (body.data.results as KeptSend[]).map(({ id, status }) => [id, status]),
    );
    const inBatch = rows.filter((row) => row.batch_id === batchId);
    const other = inBatch.filter(({ id, status }) => told.get(id) !== status);
    if (told.size !== inBatch.length || other.length > 0)
      faults.push(`get-batch tells ${other.length} otherwise`);
    const { total, sent, failed, unknown, queued } = body.data;
    if (total !== inBatch.length || total !== sent + failed + unknown || queued !== 0) {
      faults.push(`get-batch counts ${JSON.stringify({ total, sent, failed, unknown, queued })}`);
    }
  }
  return faults;
}

function violationsOf(
  { id, recipient, status, provider_id: providerId, counted }: KeptSend,
  asked: number,
): string[] {
  const faults: string[] = [];
  if (asked > 1) faults.push(`${recipient} was sent to ${asked} times`);
  if (status !== 'sent' && status !== 'unknown') faults.push(`${recipient} is ${status}`);
  if (status === 'sent' && asked !== 1) faults.push(`${recipient} is sent and was never asked for`);
  if (status === 'sent' && providerId !== `wamid.${id}`) faults.push(`${recipient} has another’s id`);
  if (!counted) faults.push(`${recipient} is not counted`);
  return faults;
}
