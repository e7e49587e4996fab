import { Client } from 'pg';
import { clusterFolder, startBenchCluster, type BenchCluster } from './bench.cluster';
import type { BenchSize } from './bench.size';
import { customerNames, messageTexts } from './lists.texts';
import { loadStatements } from './lists.statements';

/** How many dialogs; each has ten messages on average. */
export const DIALOGS: Readonly<Record<BenchSize, number>> = { full: 1_000_000, quick: 100_000, smoke: 2_000 };

/** Different texts; a text with the number of its order is rarer still. */
const TEXTS = 20_000;

/** Of this run: what one part has loaded the next one uses. */
let own: string | undefined;

/**
 * A PostgreSQL of the run with one account of very many dialogs over a year, their messages in Russian, Kazakh and
 * English, and their history (opened, moves). `LEADLINE_BENCH_DATA` names a folder that keeps it: the next run brings
 * its schema up to date and uses it again.
 */
export async function startListsDatabase(size: BenchSize): Promise<BenchCluster> {
  const kept = process.env.LEADLINE_BENCH_DATA;
  const cluster = await startBenchCluster(kept ? `${kept}-${size}` : (own ??= await clusterFolder()));
  try {
    await load(cluster.url, DIALOGS[size]);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function load(url: string, dialogs: number): Promise<void> {
  const db = new Client({ connectionString: url });
  await db.connect();
  try {
    const { rows } = await db.query<{ known: string | null }>(
      `SELECT obj_description('threads'::regclass) AS known`,
    );
    const mark = `bench lists ${dialogs}`;
    if (rows[0]?.known === mark) return;
    const begun = performance.now();
    await db.query(
      'CREATE TEMPORARY TABLE texts AS SELECT n::int - 1 AS n, text FROM unnest($1::text[]) WITH ORDINALITY g (text, n)',
      [messageTexts(TEXTS)],
    );
    await db.query(
      'CREATE TEMPORARY TABLE names AS SELECT n::int - 1 AS n, name FROM unnest($1::text[]) WITH ORDINALITY g (name, n)',
      [customerNames()],
    );
    for (const statement of loadStatements(dialogs, TEXTS)) await db.query(statement);
    await db.query(`COMMENT ON TABLE threads IS '${mark}'`);
    console.log(`${dialogs} dialogs written in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  } finally {
    await db.end();
  }
}
