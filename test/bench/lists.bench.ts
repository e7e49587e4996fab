import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { BoardClient } from '../support/clients/board.client';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import type { BenchSize } from './bench.size';
import { quantile } from './figures';
import { HttpConnection } from './http.connection';
import { LISTS_ACCOUNT } from './lists.account';
import { startListsDatabase } from './lists.data';
import { LIST_CASES, ONE_DIALOG, type ListCallers, type ListCase } from './lists.cases';

interface Plan {
  /** Calls of each case before they are measured: the processor and both programs are warm then, as at work. */
  warmUpCalls: number;
  /** Calls of each case, one by one. */
  calls: number;
}

const PLANS: Readonly<Record<BenchSize, Plan>> = {
  full: { warmUpCalls: 100, calls: 60 },
  quick: { warmUpCalls: 50, calls: 30 },
  smoke: { warmUpCalls: 1, calls: 3 },
};

/** Some bare queries take seconds. Of such a case fewer calls are measured, and no fewer than these. */
const CASE_MS = 10_000;
const CALLS_LEAST = 3;

/** What finding the rows may cost, compared with the statement alone that finds the same. */
const RATIO_MOST = 1.5;

const LOOK_MS = 500;

/** Lists and searches among very many dialogs, beside bare queries that find the same. */
export async function benchLists(size: BenchSize): Promise<void> {
  console.log('\n=== lists\n');
  const cluster = await startListsDatabase(size);
  const db = new Pool({ connectionString: cluster.url, max: 1 });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  let server: ServerProcess | null = null;
  let board: BoardClient | null = null;
  let http: HttpConnection | null = null;
  try {
    server = await startServer(cluster.url);
    await untilFound(db);
    board = await BoardClient.connect(server.url, { api_key: LISTS_ACCOUNT.key });
    http = await HttpConnection.open(server.url);
    const callers = { http, board };
    const one = await measure(callers, db, ONE_DIALOG, PLANS[size]);
    const callMs = one.service - one.bare;
    console.log(`A call costs ${callMs.toFixed(1)} ms beside its query; without that:\n`);
    for (const each of LIST_CASES) report(each, await measure(callers, db, each, PLANS[size]), callMs);
  } finally {
    http?.close();
    board?.close();
    await server?.stop();
    await db.end();
    await cluster.stop();
  }
}

/** A search finds dialogs once the server has read their words, which it does after each migration too. */
async function untilFound(db: Pool): Promise<void> {
  const begun = performance.now();
  while (((await db.query('SELECT 1 FROM search_queue LIMIT 1')).rowCount ?? 0) > 0) await delay(LOOK_MS);
  const seconds = (performance.now() - begun) / 1_000;
  if (seconds > 1) console.log(`all dialogs made findable in ${seconds.toFixed(0)} s`);
  await db.query('VACUUM ANALYZE thread_search, threads');
}

/** In turn, so that both find the database in the same state. */
async function measure(
  callers: ListCallers,
  db: Pool,
  of: ListCase,
  plan: Plan,
): Promise<{ service: number; bare: number }> {
  const [service, bare]: [number[], number[]] = [[], []];
  const call = async () => {
    await delay(of.pauseMs ?? 0);
    return timed(() => of.call(callers));
  };
  const query = () =>
    timed(async () => {
      for (const [part, text] of of.bare.entries())
        await db.query({ name: `${of.name} ${part}`, text, values: [LISTS_ACCOUNT.id, ...of.values] });
    });
  const begun = performance.now();
  const hasTime = (): boolean => performance.now() - begun < CASE_MS;
  for (let n = 0; n < plan.warmUpCalls && (n === 0 || hasTime()); n++) await query().then(call);
  while (service.length < plan.calls && (service.length < CALLS_LEAST || hasTime())) {
    service.push(await call());
    bare.push(await query());
  }
  const [p50, bare50] = [quantile(service, 0.5), quantile(bare, 0.5)];
  console.log(
    `${of.name}: p50 ${p50.toFixed(1)} ms, p99 ${quantile(service, 0.99).toFixed(1)} ms; ` +
      `bare query p50 ${bare50.toFixed(1)} ms, p99 ${quantile(bare, 0.99).toFixed(1)} ms`,
  );
  return { service: p50, bare: bare50 };
}

/** @param callMs what any call costs beside its query */
function report(of: ListCase, { service, bare }: { service: number; bare: number }, callMs: number): void {
  const ratio = Math.max(0, service - callMs) / bare;
  const verdict = ratio <= RATIO_MOST ? 'reached' : 'MISSED';
  console.log(
    `  ${of.name}: ratio ${ratio.toFixed(2)} (goal ≤ ${RATIO_MOST}: ${verdict}); with the call ${(service / bare).toFixed(2)}`,
  );
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}
