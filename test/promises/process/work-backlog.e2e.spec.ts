import { ApiClient } from '../../support/clients/api.client';
import { metricsOf } from '../../support/clients/metrics.reader';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { setScene } from '../../support/scenes/base.scene';
import { invite, joinBy } from '../../support/clients/session.client';

/** Nothing of what is due is done. */
const scene = setScene({ agentCouldAnswer: true });

const QUIET = { due: 0, oldest_due_seconds: null, in_flight: 0, failed_last_hour: 0 };

let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

const queues = async (): Promise<unknown> =>
  (await admin.call('admin/work', undefined, 'GET')).body.data.queues;

it('nothing is due where nothing has come', async () => {
  expect(await queues()).toEqual([
    { name: 'replies', ...QUIET },
    { name: 'scenarios', ...QUIET },
    { name: 'archived-stages', ...QUIET },
    { name: 'send-queues', ...QUIET },
    { name: 'inbound-webhooks', ...QUIET },
    { name: 'media', ...QUIET },
    { name: 'transcripts', ...QUIET },
    { name: 'retention', ...QUIET },
    { name: 'figures', ...QUIET },
    { name: 'thread-search', ...QUIET },
    { name: 'webhooks-out', ...QUIET },
    { name: 'imports', ...QUIET },
  ]);
});

it('of each kind is told what is due, since when, what is in flight, and what failed in the last hour', async () => {
  const { account, database } = scene;
  const threads = [await account.addThread(), await account.addThread(), await account.addThread()];
  const [first = '', second = '', third = ''] = threads;
  const due = await account.addMessage(first, { role: 'AI', status: 'queued' });
  await account.addMessage(second, { role: 'AI', status: 'sending' });
  for (const hours of [0.5, 2]) {
    const failed = await account.addMessage(third, { role: 'AI', status: 'failed' });
    await database.pool.query(
      `UPDATE messages SET failed_at = clock_timestamp() - $2 * interval '1 hour' WHERE id = $1`,
      [failed, hours],
    );
  }
  await database.pool.query(
    `UPDATE messages SET due_at = clock_timestamp() - interval '100 s' WHERE id = $1`,
    [due],
  );
  const reply = `INSERT INTO replies (account_id, thread_id, message_id, epoch, state, due_at, lease_token, lease_until)
    SELECT $1, thread_id, id, 0, $3, clock_timestamp() + $4 * interval '1 s', $5, clock_timestamp() + $6 * interval '1 s'
      FROM messages WHERE account_id = $1 AND id = $2`;
  const token = '00000000-0000-7000-8000-000000000001';
  for (const [state, dueIn, lease, leaseFor] of [
    ['due', -50, null, null],
    ['due', 3_600, null, null],
    ['due', -70, token, 60],
    ['due', -60, token, -10],
    ['failed', -10, null, null],
  ]) {
    const message = await account.addMessage(first);
    await database.pool.query(reply, [account.id, message, state, dueIn, lease, leaseFor]);
  }
  await database.pool.query(
    `INSERT INTO webhook_deliveries (provider, body, due_at) VALUES ('cloud', '{}', clock_timestamp() - interval '30 s')`,
  );
  await database.pool.query(
    `INSERT INTO scenario_queues (account_id, thread_id, due_at, lease_token, lease_until)
     VALUES ($1, $2, clock_timestamp() - interval '40 s', NULL, NULL),
            ($1, $3, clock_timestamp() - interval '45 s', $5, clock_timestamp() + interval '1 minute'),
            ($1, $4, 'infinity', NULL, NULL)`,
    [account.id, ...threads.map(uuidOf), token],
  );
  const scenario = await account.addScenario(scene.stage(0));
  for (const minutes of [30, 120])
    await database.pool.query(
      `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause, due_since, started_at, finished_at)
       SELECT $1, gen_random_uuid(), $2, $3, $4, at, 1, 'failed', '{}', at, at, at
         FROM (SELECT clock_timestamp() - make_interval(mins => $5) AS at) x`,
      [account.id, scenario, uuidOf(first), scene.stage(0), minutes],
    );
  await database.pool.query(
    `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT $1, $2, $3, n, 'ai', clock_timestamp() - n * interval '20 s', '{}' FROM generate_series(4, 5) n`,
    [account.id, uuidOf(first), account.assistantId],
  );
  await database.pool.query(
    `INSERT INTO imports (account_id, id, assistant_id, bot_id, channel, dry_run, start_scenarios, set_by, actor, state,
       failure, due_at, lease_token, lease_until, finished_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'waba', false, false, 'SYSTEM', '{}', i.state,
            CASE i.state WHEN 'failed' THEN 'internal' END, clock_timestamp() - i.age * interval '1 s',
            CASE WHEN i.held THEN gen_random_uuid() END, CASE WHEN i.held THEN clock_timestamp() + interval '1 h' END,
            CASE i.state WHEN 'running' THEN NULL ELSE clock_timestamp() END
       FROM (VALUES ('running', false, 20), ('running', true, 30), ('failed', false, 90), ('done', false, 90))
         i (state, held, age)`,
    [account.id, account.assistantId, account.botId],
  );
  // One that sends, one that another process holds, one that is probed after ten failures in a row, and one that is disabled.
  await database.pool.query(
    `WITH given AS (
       SELECT gen_random_uuid() AS id, g.* FROM (VALUES (0, false, 25), (9, true, 35), (10, false, 2000), (NULL, false, NULL))
         g (failures, held, age)),
     made AS (
       INSERT INTO webhook_endpoints (account_id, id, url, events, key_id, secret, disabled_at, disabled_reason)
       SELECT $1, id, 'https://x.example', '{*}', '1', 'x', CASE WHEN failures IS NULL THEN clock_timestamp() END,
              CASE WHEN failures IS NULL THEN 'failing' END FROM given),
     queued AS (
       INSERT INTO endpoint_queues (account_id, endpoint_id, failures, lease_token, lease_until)
       SELECT $1, id, failures, CASE WHEN held THEN $2::uuid END,
              CASE WHEN held THEN clock_timestamp() + interval '1 minute' END FROM given WHERE failures IS NOT NULL)
     INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state, due_at, failed_at, attempts)
     SELECT $1, gen_random_uuid(), id, 1, $3, 'lead.renamed', gen_random_uuid(), s.state,
            CASE s.state WHEN 'pending' THEN clock_timestamp() - age * interval '1 s' END,
            CASE s.state WHEN 'failed' THEN clock_timestamp() END,
            jsonb_build_array(jsonb_build_object('at', clock_timestamp(), 'status', 500, 'ms', 1, 'error', null))
       FROM given CROSS JOIN LATERAL (SELECT CASE WHEN age IS NULL THEN 'failed' ELSE 'pending' END AS state) s`,
    [account.id, token, uuidOf(first)],
  );
  const about = (seconds: number): unknown => expect.closeTo(seconds, -1.5);
  expect(await queues()).toEqual([
    { name: 'replies', due: 2, oldest_due_seconds: about(60), in_flight: 1, failed_last_hour: 1 },
    { name: 'scenarios', due: 1, oldest_due_seconds: about(40), in_flight: 1, failed_last_hour: 1 },
    { name: 'archived-stages', ...QUIET },
    { name: 'send-queues', due: 1, oldest_due_seconds: about(100), in_flight: 1, failed_last_hour: 1 },
    { name: 'inbound-webhooks', due: 1, oldest_due_seconds: about(30), in_flight: 0, failed_last_hour: 0 },
    { name: 'media', ...QUIET },
    { name: 'transcripts', ...QUIET },
    { name: 'retention', ...QUIET },
    { name: 'figures', due: 1, oldest_due_seconds: about(80), in_flight: 0, failed_last_hour: 0 },
    { name: 'thread-search', due: 9, oldest_due_seconds: about(0), in_flight: 0, failed_last_hour: 0 },
    { name: 'webhooks-out', due: 1, oldest_due_seconds: about(25), in_flight: 1, failed_last_hour: 1 },
    { name: 'imports', due: 1, oldest_due_seconds: about(20), in_flight: 1, failed_last_hour: 1 },
  ]);
  // One scrape: both metrics of it are of the same moment.
  const metrics = await metricsOf(scene.server);
  expect(metrics).toMatch(/^leadline_work_due\{work="replies"\} 2$/m);
  expect(metrics).toMatch(/^leadline_work_oldest_due_seconds\{work="send-queues"\} 1\d\d/m);
  const endpoints = /^leadline_webhook_endpoints\{state="(\w+)"\} (\d+)$/gm;
  expect(Array.from(metrics.matchAll(endpoints), ([, state, count]) => [state, count])).toEqual([
    ['ok', '2'],
    ['failing', '1'],
    ['disabled', '1'],
  ]);
});

it('an account’s admin is told of the own account alone', async () => {
  const stranger = await AccountFixture.create(scene.database.pool);
  const told = async ({ id }: AccountFixture): Promise<unknown> => {
    const invited = await invite(admin, id, { role: 'admin' });
    const session = await joinBy(scene.server.url, invited);
    const { body } = await session.call('admin/work', undefined, 'GET');
    return (body.data.queues as { due: number; failed_last_hour: number }[]).map((queue) => [
      queue.due,
      queue.failed_last_hour,
    ]);
  };
  const nothing = [0, 0];
  expect(await told(stranger)).toEqual(Array(12).fill(nothing));
  // Of which account a webhook is shows only when it is read.
  expect(await told(scene.account)).toEqual([
    ...[[2, 1], [1, 1], nothing, [1, 1], nothing, nothing, nothing, nothing],
    ...[
      [1, 0],
      [9, 0],
      [1, 1],
      [1, 1],
    ],
  ]);
});

it('a kind that cannot be counted is left out, and the others are told all the same', async () => {
  const holder = await scene.database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE endpoint_deliveries');
    const [told, metrics] = await Promise.all([queues(), metricsOf(scene.server)]);
    const names = (told as { name: string }[]).map(({ name }) => name);
    expect(names).toHaveLength(11);
    expect(names).not.toContain('webhooks-out');
    expect(metrics).toMatch(/^leadline_work_due\{work="imports"\} 1$/m);
    expect(metrics).not.toMatch(/^leadline_work_due\{work="webhooks-out"\}/m);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
});
