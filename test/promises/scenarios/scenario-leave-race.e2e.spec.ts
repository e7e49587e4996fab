import type { StepDefinition } from '@app/contracts/scenario.words';
import { injected } from '../../support/faults/injected.faults';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { heldAcross, faultReports, voidAfter } from '../../support/faults/fault.reports';
import { triesOf } from '../../support/long.mode';
import type { ServerProcess } from '../../support/programs/server.process';
import { setScenarioScene } from '../../support/scenes/scenario.scene';
import { leaving, StepRace, WAIT_SECONDS } from '../../support/scenes/step.race';

const AT_ONCE = 16;
const ROUNDS = triesOf(2, 125);
const NEAR_MS = 3;
/** Within the statements that meet. */
const DELAY_MS = 6;

const STOPS = triesOf(2, 60);
const STOPPED_MS = 1_500;
/** From the permit's commit to the write, at most: long enough that a process is often stopped between them. */
const WRITTEN_WITHIN_MS = 100;
/** Within so many milliseconds of its notification a worker has its permits and writes. */
const STOPPED_WITHIN_MS = 150;

const SAY: StepDefinition = { kind: 'send_text', text: 'Your order is ready' };
const STEPS: StepDefinition[] = [{ kind: 'wait', seconds: WAIT_SECONDS }, SAY, SAY];

const scene = setScenarioScene({ servers: 0 });
const addServer = (ROLE: string): Promise<ServerProcess> =>
  scene.addServer({
    ROLE,
    ...injected('send-permit', { mostMs: WRITTEN_WITHIN_MS, busyShare: 0 }),
    ...SHORT_TIMES,
  });
let worker: ServerProcess;

beforeAll(async () => {
  [, worker] = [await addServer('api'), await addServer('worker')];
  // The move and the permit then overlap. Without it a permit that is granted without the lock is found too rarely.
  await scene.database.pool.query(`
    CREATE FUNCTION delay_statement() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(random() * ${DELAY_MS} / 1000.0); RETURN NEW; END $$;
    CREATE TRIGGER delay_statement BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION delay_statement();
    CREATE TRIGGER delay_statement BEFORE UPDATE ON threads FOR EACH ROW
      WHEN (OLD.status_id IS NOT NULL AND NEW.status_id IS NULL) EXECUTE FUNCTION delay_statement()`);
});

describe('leaving a stage while a step of its scenario begins at another process', () => {
  it('is not followed by a message that begins after the answer', async () => {
    await scene.scenario(0, STEPS);
    const race = new StepRace(scene, [worker], 0, leaving(scene));
    for (let round = 0; round < ROUNDS; round++) await race.run(AT_ONCE, ['aimed', 'permitted']);
    const { trials } = race;
    console.info(
      `${trials.length} trials, permit and move within ±${NEAR_MS} ms in ${race.metWithin(NEAR_MS)}, sent in ` +
        `${race.begun().length}; the move took ${race.took()}`,
    );
    expect(trials.map(({ call }) => call.status).filter((status) => status !== 200)).toEqual([]);
    expect(race.leaks().map(({ threadId }) => threadId)).toEqual([]);
  });
});

describe('a process that is stopped anywhere around its sends, and goes on after the lead left', () => {
  it('begins no message, unless it was stopped between its last check and its write', async () => {
    await scene.scenario(1, STEPS);
    const race = new StepRace(scene, [worker], 1, leaving(scene));
    const leaks: number[] = [];
    let [exceptions, withheld, refused] = [0, 0, 0];
    for (let stop = 0; stop < STOPS; stop++) {
      const { trials, resumedAt } = await race.stopAmid(
        worker,
        AT_ONCE,
        stop % 2 === 0 ? 'permitted' : Math.random() * STOPPED_WITHIN_MS,
        STOPPED_MS,
      );
      const reports = faultReports(worker);
      const held = heldAcross(reports, resumedAt);
      exceptions += held;
      withheld += voidAfter(reports, resumedAt);
      // The others' dialogs were locked by the stopped process: their leads have not left.
      const left = trials.filter(({ call }) => call.status === 200);
      refused += trials.length - left.length;
      leaks.push(Math.max(0, left.filter((trial) => race.begunAfter(trial) > 0).length - held));
    }
    console.info(
      `${STOPS} stops of ${AT_ONCE} runs each: ${withheld} withheld after the stop, ` +
        `${exceptions} stopped between look and write, ${refused} moves refused`,
    );
    expect(leaks).toEqual(leaks.map(() => 0));
  });
});
