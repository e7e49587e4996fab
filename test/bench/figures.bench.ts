import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { ApiClient, type Answer } from '../support/clients/api.client';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import type { BenchSize } from './bench.size';
import { countHistory } from './figures.data';
import { quantile, report } from './figures';
import { LISTS_ACCOUNT } from './lists.account';
import { startListsDatabase } from './lists.data';

/** Calls of each case, one by one. */
const CALLS: Readonly<Record<BenchSize, number>> = { full: 40, quick: 20, smoke: 2 };
const GOAL_MS = 300;
const LOOK_MS = 200;
const DAY_MS = 86_400_000;

interface FigureCase {
  name: string;
  path: string;
  body: Record<string, unknown>;
  /** Counts the same from the rows themselves; its `$1` is the account, `$2` and `$3` the span. */
  bare: string;
  /** What the bare query has counted, of an answer. */
  counted: (data: Record<string, unknown>) => number;
}

/** Figures of an agent with very many dialogs, beside bare queries that count the same rows. */
export async function benchFigures(size: BenchSize): Promise<void> {
  console.log('\n=== figures\n');
  const cluster = await startListsDatabase(size);
  const db = new Client({ connectionString: cluster.url });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  let server: ServerProcess | null = null;
  try {
    await db.connect();
    await countHistory(db);
    server = await startServer(cluster.url);
    const api = new ApiClient(server.url, LISTS_ACCOUNT.key);
    for (const each of figureCases()) await measure(api, db, each, CALLS[size]);
  } finally {
    await server?.stop();
    await db.end();
    await cluster.stop();
  }
}

function figureCases(): FigureCase[] {
  const now = Date.now();
  const span = (days: number): { from: string; to: string } => ({
    from: new Date(now - days * DAY_MS).toISOString(),
    to: new Date(now).toISOString(),
  });
  const funnel = (days: number, timezone: string): FigureCase => ({
    name: `a funnel, ${days} days, ${timezone}`,
    path: 'leads/get-funnel-figures',
    body: { assistant_id: LISTS_ACCOUNT.agents[0], ...span(days), timezone },
    bare: FUNNEL,
    counted: ({ stages, messages }) => {
      const entered = (stages as { entered: number }[]).map((stage) => stage.entered);
      return sum([...entered, ...Object.values(messages as Record<string, number>)]);
    },
  });
  return [
    funnel(365, 'Asia/Almaty'),
    funnel(365, 'America/New_York'),
    funnel(30, 'Asia/Almaty'),
    {
      name: 'templates, 365 days',
      path: 'messages/get-template-figures',
      body: { bot_id: LISTS_ACCOUNT.bots[0], ...span(365) },
      bare: TEMPLATES,
      counted: ({ templates }) => sum((templates as { messages: number }[]).map(({ messages }) => messages)),
    },
  ];
}

const FUNNEL = `
  SELECT (SELECT sum(n)::float8 FROM (
            SELECT count(*) AS n, percentile_cont('{0.5,0.9}'::float8[]) WITHIN GROUP (ORDER BY extract(epoch FROM left_at - entered_at))
              FROM figure_stays
             WHERE account_id = $1 AND assistant_id = '${LISTS_ACCOUNT.agents[0]}' AND counted AND entered_at >= $2 AND entered_at < $3
             GROUP BY status_id, date_trunc('day', entered_at)) s)
       + (SELECT sum(n)::float8 FROM (
            SELECT count(*) AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM at - began_at))
              FROM figure_messages
             WHERE account_id = $1 AND assistant_id = '${LISTS_ACCOUNT.agents[0]}' AND counts AND at >= $2 AND at < $3
             GROUP BY role, date_trunc('day', at)) m) AS counted`;

const TEMPLATES = `
  SELECT sum(n)::float8 AS counted FROM (
    SELECT count(*) AS n FROM figure_messages
     WHERE account_id = $1 AND bot_id = '${LISTS_ACCOUNT.bots[0]}' AND template IS NOT NULL AND at >= $2 AND at < $3
     GROUP BY channel, template, language, status, error_code, provider_code) t`;

async function measure(api: ApiClient, db: Client, of: FigureCase, calls: number): Promise<void> {
  const call = async (): Promise<{ took: number; counted: number }> => {
    const begun = performance.now();
    const { status, text, body }: Answer = await api.call(of.path, of.body);
    const took = performance.now() - begun;
    if (status !== 200 || body.data.complete !== true)
      throw new Error(`${of.name} was answered ${status} ${text.slice(0, 500)}`);
    return { took, counted: of.counted(body.data) };
  };
  const first = await call();
  const kept = await untilKept(db);
  const took: number[] = [];
  for (let n = 0; n <= calls; n++) {
    const { took: each, counted } = await call();
    if (counted !== first.counted) throw new Error(`${of.name}: ${counted} instead of ${first.counted}`);
    // The first call after all is kept reads it from the disk.
    if (n > 0) took.push(each);
  }
  const begun = performance.now();
  const values = [LISTS_ACCOUNT.id, of.body.from, of.body.to];
  const { rows } = await db.query<{ counted: number }>(of.bare, values);
  const bare = performance.now() - begun;
  if (rows[0]?.counted !== first.counted)
    throw new Error(`${of.name}: ${first.counted} instead of ${rows[0]?.counted}`);
  console.log(
    `${of.name}: ${first.counted} rows; first call ${first.took.toFixed(0)} ms, kept after ${kept.toFixed(1)} s; ` +
      `then p50 ${quantile(took, 0.5).toFixed(1)} ms; bare query ${bare.toFixed(0)} ms`,
  );
  report(`${of.name}, p99`, 'ms', quantile(took, 0.99), GOAL_MS);
}

/** Until the worker has counted what calls asked for. */
async function untilKept(db: Client): Promise<number> {
  const begun = performance.now();
  const due = 'SELECT 1 FROM figure_ranges WHERE counted IS NULL LIMIT 1';
  while (((await db.query(due)).rowCount ?? 0) > 0) await delay(LOOK_MS);
  return (performance.now() - begun) / 1_000;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
