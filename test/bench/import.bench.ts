import { setTimeout as sleep } from 'node:timers/promises';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { Pool } from 'pg';
import { ApiClient } from '../support/clients/api.client';
import { TransferClient } from '../support/clients/transfer.client';
import { CREDENTIAL } from '../support/database/fixture';
import { SECRETS } from '../support/programs/server.process';
import { KEYS_PER_ACCOUNT, keyOf, startBenchDatabase, type BenchDatabase } from './bench.database';
import { idOf } from './bench.ids';
import type { BenchSize } from './bench.size';
import { Contestant, KeyRotation } from './contestant';
import { median, tableOf } from './figures';
import { CLIENTS, LoadDriver } from './load.driver';
import { cpuOf, cpuOfPostgres } from './process.cpu';

const PLANS = {
  full: {
    threadsPerAccount: 2_000,
    alone: 10_000,
    rows: 90_000,
    warmUpCalls: 15_000,
    rounds: 5,
    sliceMs: 5_000,
  },
  quick: {
    threadsPerAccount: 2_000,
    alone: 3_000,
    rows: 17_000,
    warmUpCalls: 6_000,
    rounds: 3,
    sliceMs: 3_000,
  },
  smoke: { threadsPerAccount: 20, alone: 100, rows: 300, warmUpCalls: 50, rounds: 1, sliceMs: 100 },
};
/** The rate of moves beside an import, by the rate at rest. */
const RATIO_LEAST = 0.7;
const DEADLINE_MS = 600_000;
const LOOK_MS = 100;
/** Until a sweep finds an import that goes on. */
const FOUND_AGAIN_MS = 1_200;

const ACCOUNT = 0;
/** Of its keys the last, which the moves come to last. */
const KEY = keyOf(ACCOUNT, KEYS_PER_ACCOUNT - 1);
const CHANNEL = 'waba_coexistence';

/**
 * Moves by sixteen clients at rest and, in turn, while leads are imported, all by one process.
 * @throws where a row of the file is not taken in
 */
export async function benchImport(size: BenchSize): Promise<void> {
  console.log('\n=== import\n');
  const database = await startBenchDatabase(PLANS[size].threadsPerAccount);
  const db = new Pool({ connectionString: database.url, max: 2 });
  // An idle connection may hear of the database's end before its own.
  db.on('error', () => undefined);
  let service: Contestant | null = null;
  try {
    await connect(db);
    service = await Contestant.start('service', database.url);
    await new ImportBench(db, database, service).run(PLANS[size]);
  } finally {
    await service?.server.stop();
    await db.end();
    await database.stop();
  }
}

class ImportBench {
  private readonly driver: LoadDriver;

  constructor(
    private readonly db: Pool,
    private readonly database: BenchDatabase,
    private readonly service: Contestant,
  ) {
    this.driver = new LoadDriver(database, new KeyRotation());
  }

  async run({ alone, rows, warmUpCalls, rounds, sliceMs }: (typeof PLANS)[BenchSize]): Promise<void> {
    await this.cost(alone);
    await this.driver.warmUp(this.service, 'set-status', warmUpCalls);
    const id = await this.begin(alone, rows);
    const [atRest, beside, rates]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      await this.hold(id);
      atRest.push(await this.moves(0, sliceMs));
      await this.goOn(id);
      const [before, begun] = [await this.done(id), performance.now()];
      beside.push(await this.moves(FOUND_AGAIN_MS, sliceMs));
      rates.push(((await this.done(id)) - before) / ((performance.now() - begun) / 1_000));
    }
    const goal = { least: RATIO_LEAST };
    const comparison = { measure: 'set-status', unit: '/s', service: beside, floor: atRest, goal };
    console.log(`${CLIENTS} clients move leads while leads are imported, and at rest:\n`);
    console.log(tableOf([comparison], 'at rest'));
    console.log(`\nrows a second meanwhile: ${median(rates).toFixed(0)}`);
    await this.untilEnded(id, rows);
  }

  /** What a row costs that opens a dialog with a name and a stage, until searches find it. */
  private async cost(rows: number): Promise<void> {
    const usage = () => ({
      at: performance.now(),
      server: cpuOf(this.service.server.pid),
      postgres: cpuOfPostgres(this.database.postmaster),
    });
    const before = usage();
    const id = await this.begin(0, rows);
    await this.untilEnded(id, rows);
    const seconds = (performance.now() - before.at) / 1_000;
    const isQueued = async (): Promise<boolean> =>
      (await this.rowsOf('SELECT 1 FROM search_queue LIMIT 1')).length > 0;
    while (await isQueued()) await sleep(LOOK_MS);
    const { server, postgres } = usage();
    console.log(
      `alone: ${(rows / seconds).toFixed(0)} rows a second; CPU of a row until it is found: ` +
        `server ${((server - before.server) / rows).toFixed(0)} µs, PostgreSQL ${((postgres - before.postgres) / rows).toFixed(0)} µs\n`,
    );
  }

  private async moves(warmMs: number, measureMs: number): Promise<number> {
    const plan = { operation: 'set-status', boards: 0, warmMs, measureMs } as const;
    return (await this.driver.rate(this.service, plan)).perSecond;
  }

  /** @param from the number of the first phone */
  private async begin(from: number, rows: number): Promise<string> {
    const client = new TransferClient(new ApiClient(this.service.server.url, KEY));
    const { body, text } = await client.import(fileOf(from, rows), {
      ...{ assistant_id: idOf('agent', ACCOUNT), bot_id: idOf('bot', ACCOUNT), channel: CHANNEL },
    });
    if (!body.ok) throw new Error(`the import was answered ${text}`);
    return body.data.import_id as string;
  }

  /** As if another process had it, which takes nothing in. */
  private async hold(id: string): Promise<void> {
    await this.rowsOf(
      `UPDATE imports SET lease_token = gen_random_uuid(), lease_until = 'infinity' WHERE id = $1 AND state = 'running'`,
      [id],
    );
  }

  private async goOn(id: string): Promise<void> {
    await this.rowsOf('UPDATE imports SET lease_token = NULL, lease_until = NULL WHERE id = $1', [id]);
  }

  private async done(id: string): Promise<number> {
    return (
      (await this.rowsOf<{ done: number }>('SELECT done FROM imports WHERE id = $1', [id]))[0]?.done ?? 0
    );
  }

  private async untilEnded(id: string, rows: number): Promise<void> {
    const end = performance.now() + DEADLINE_MS;
    for (;;) {
      const [found] = await this.rowsOf<{ state: string; created_rows: number }>(
        'SELECT state, created_rows FROM imports WHERE id = $1',
        [id],
      );
      if (found?.state === 'done' && found.created_rows === rows) return;
      if (found?.state !== 'running' || performance.now() > end)
        throw new Error(`of ${rows} rows ${found?.created_rows ?? 0} were taken in`);
      await sleep(LOOK_MS);
    }
  }

  private async rowsOf<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.db.query<Row>(sql, values)).rows;
  }
}

function fileOf(from: number, rows: number): string {
  const lines = ['phone,name,status'];
  for (let n = from; n < from + rows; n += 1)
    lines.push(`+7705${String(n).padStart(7, '0')},Клиент ${n},Stage ${n % 6}`);
  return lines.join('\n');
}

/** An import asks for a connected number. */
async function connect(db: Pool): Promise<void> {
  const [account, bot] = [idOf('account', ACCOUNT), idOf('bot', ACCOUNT)];
  const { keyId, sealed } = new AesChannelCipher(SECRETS.ENCRYPTION_KEY).seal(
    CREDENTIAL,
    `${account}/${bot}/${CHANNEL}`,
  );
  await db.query(
    `INSERT INTO bot_channels (account_id, bot_id, channel, sender, settings, credential_key_id, credential)
     VALUES ($1, $2, $3, '106540352242000', '{}', $4, $5)`,
    [account, bot, CHANNEL, keyId, sealed],
  );
}
