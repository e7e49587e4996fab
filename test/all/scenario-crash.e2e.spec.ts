import { setTimeout as sleep } from 'node:timers/promises';
import type { StepDefinition } from '@app/contracts/scenario.words';
import { OwnCluster } from '../support/database/own.cluster';
import { longestPause, stepsThat, textOf, violationsOfRuns } from '../support/database/run.faults';
import { eventually, inTime } from '../support/eventually';
import { triesOf } from '../support/long.mode';
import type { ServerProcess } from '../support/programs/server.process';
import { SHORT_TIMES } from '../support/programs/test.limits';
import { setScenarioScene } from '../support/scenes/scenario.scene';

/** One of each fault in each round. */
const ROUNDS = triesOf(1, 60);
/** Several at once in each turn: dialogs of an account share transactions. */
const RUNS = triesOf(24, 1_200);
const WAIT_SECONDS = 1;
const LATENCY_MS = 5;
const ANSWERED_AFTER_MS = 500;
/** Longer than the lease of a dialog. */
const STOPPED_MS = 2_500;
/** A killed process's work goes on within this time. */
const RESUMED_WITHIN_MS = 20_000;
const ENDED_WITHIN_MS = 40_000;

let cluster: OwnCluster;
const scene = setScenarioScene({
  servers: 0,
  environment: { ...SHORT_TIMES, PROVIDER_TIMEOUT_MS: '2000' },
  openDatabase: async () => {
    cluster = await OwnCluster.start();
    return { url: cluster.url, pool: cluster.pool, drop: () => cluster.remove() };
  },
});

const sendAt = (index: number): StepDefinition => ({
  kind: 'send_text',
  text: textOf(index),
  on_failure: 'continue',
});
const WAIT: StepDefinition = { kind: 'wait', seconds: WAIT_SECONDS };

const stepsOf = (next: string): StepDefinition[] => [
  { kind: 'notify', text: 'Begins' },
  sendAt(1),
  WAIT,
  { kind: 'condition', all: [{ fact: 'in_stage', is: true }], else: 'stop' },
  sendAt(4),
  { kind: 'set_status', status_id: next },
  sendAt(6),
  WAIT,
  { kind: 'notify', text: 'Ends' },
  sendAt(9),
];

/** The processes that serve; a killed one is replaced. */
const alive: ServerProcess[] = [];

async function begin(): Promise<void> {
  alive.push(await scene.addServer());
}

/** Kills both processes while the provider has requests that are not answered. */
async function killAmidRequests(): Promise<void> {
  scene.provider.latencyMs = ANSWERED_AFTER_MS;
  const before = scene.provider.ledger.length;
  const asked = async (): Promise<boolean> => scene.provider.ledger.length > before + 1;
  await eventually(asked, 5_000, 'nothing was sent').catch(() => undefined);
  const victims = alive.splice(0);
  for (const victim of victims) scene.servers.splice(scene.servers.indexOf(victim), 1);
  await Promise.all(victims.map((victim) => victim.kill('SIGKILL')));
  await Promise.all(victims.map(() => begin()));
  scene.provider.latencyMs = LATENCY_MS;
}

/** Kills a process at any moment. */
async function kill(): Promise<void> {
  const victim = alive.shift();
  if (victim) scene.servers.splice(scene.servers.indexOf(victim), 1);
  await victim?.kill('SIGKILL');
  await begin();
}

/** Stops a process for longer than its leases. */
async function stop(): Promise<void> {
  const [frozen] = alive;
  await frozen?.kill('SIGSTOP');
  await sleep(STOPPED_MS);
  await frozen?.kill('SIGCONT');
}

async function restartDatabase(): Promise<void> {
  await cluster.crash();
  await cluster.comeBack();
}

const FAULTS = [killAmidRequests, restartDatabase, kill, stop];

async function startRuns(count: number): Promise<void> {
  const dialogs = await Promise.all(Array.from({ length: count }, () => scene.dialog()));
  await Promise.all(
    dialogs.map(({ threadId }) =>
      eventually(
        async () => {
          const answer = await scene.apiAt(scene.servers.indexOf(alive.at(-1) as ServerProcess)).setStatus({
            thread_id: threadId,
            status_id: scene.stage(0),
          });
          return answer.status === 200;
        },
        20_000,
        'the service did not come back',
      ),
    ),
  );
}

describe('runs of ten steps over kills, stops and restarts of the database, on two processes', () => {
  it('have each effect once and in order, go on soon, and all end', async () => {
    scene.provider.latencyMs = LATENCY_MS;
    const steps = stepsOf(scene.stage(1));
    await Promise.all([begin(), begin()]);
    await scene.scenario(0, steps);
    const turns = ROUNDS * FAULTS.length;
    for (let turn = 0; turn < turns; turn++) {
      await startRuns(Math.ceil(RUNS / turns));
      await sleep(Math.random() * 300);
      await FAULTS[turn % FAULTS.length]?.();
    }
    const open = 'SELECT count(*)::int AS n FROM scenario_runs WHERE finished_at IS NULL';
    await eventually(
      async () => (await cluster.pool.query<{ n: number }>(open)).rows[0]?.n === 0,
      ENDED_WITHIN_MS,
      'runs did not end',
    );
    const { id } = scene.account;
    const pause = await longestPause(cluster.pool, id, WAIT_SECONDS);
    const unknown = await stepsThat(cluster.pool, id, 'unknown');
    const done = await stepsThat(cluster.pool, id, 'done');
    console.info(
      `${turns} faults: ${done} steps done, ${unknown} unknown; the longest pause ${(pause / 1_000).toFixed(1)} s`,
    );
    expect(await violationsOfRuns(cluster.pool, scene.provider, id, steps)).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
    expect(pause).toBeLessThan(inTime(RESUMED_WITHIN_MS));
  });
});
