import type { StepDefinition } from '@app/contracts/scenario.words';
import { orderedValues } from '@app/persistence/database/sql.statements';
import { MOVE } from '@app/persistence/leads/lead.statements';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { uuidOf } from '../../support/database/thread.uuid';
import { limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { setScenarioScene, type BegunDialog, type KeptRunRow } from '../../support/scenes/scenario.scene';
import { accept } from '../../support/stand-ins/scripted.provider';

const scene = setScenarioScene({
  servers: 2,
  stages: Array.from({ length: 40 }, () => ({})),
  // What has expired is deleted every second.
  environment: { ...SHORT_TIMES, ...limits({ 'work.retentionMs': 1_000 }) },
});

const HOUR = 3_600;
const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };
const LOOK: StepDefinition = { kind: 'notify', text: 'Look' };
const hour: StepDefinition = { kind: 'wait', seconds: HOUR };
const to = (stage: number): StepDefinition => ({ kind: 'set_status', status_id: scene.stage(stage) });

const change = (table: string, set: string, id: string, ...values: unknown[]) =>
  scene.database.pool.query(`UPDATE ${table} SET ${set} WHERE id = $1`, [id, ...values]);

/** What became of runs, as `state` or `state reason`. */
const endsOf = (runs: readonly KeptRunRow[]): string[] =>
  runs.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

/** Waits until the dialog's runs have come to these ends, in the order of their beginning. */
async function untilEnds(threadId: string, ends: readonly string[]): Promise<KeptRunRow[]> {
  let runs: KeptRunRow[] = [];
  return eventually(
    async () => {
      runs = await scene.runs(threadId);
      return endsOf(runs).join() === ends.join() && runs;
    },
    8_000,
    'the runs did not end so',
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(endsOf(runs))} instead of ${JSON.stringify(ends)}`);
  });
}

/** Waits until nothing is asked for any more, begun or not. */
async function untilSettled(threadId: string): Promise<KeptRunRow[]> {
  await scene.untilAsked(threadId);
  return scene.runs(threadId);
}

interface Entry {
  type: string;
  by: string;
  to: string;
  note?: string;
}

/** The entries of a type in the dialog's history, the oldest first. */
async function historyOf(threadId: string, type: string): Promise<Entry[]> {
  const { body } = await scene.api.getHistory({ thread_id: threadId, limit: 200 });
  return (body.data.entries as Entry[]).filter((entry) => entry.type === type).reverse();
}

describe('leaving the stage', () => {
  it('cancels a run, or leaves it: on_leave', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, [hour, THANKS], { order: 1 });
    await scene.scenario(stage, [hour, THANKS], { order: 2, on_leave: 'continue' });
    const { threadId, phone } = await scene.dialog();
    await scene.move(threadId, stage);
    await untilEnds(threadId, ['waiting', 'waiting']);
    await scene.move(threadId, null);
    await untilEnds(threadId, ['cancelled left_stage', 'waiting']);
    await scene.later(threadId, HOUR);
    await untilEnds(threadId, ['cancelled left_stage', 'done']);
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });
});

describe('a reply', () => {
  it('that a run with on_reply cancel waits for ends it, and nothing more is sent', async () => {
    const waits = { kind: 'wait_for_reply', seconds: HOUR } as const;
    const dialog = await scene.begin([waits, THANKS], { on_reply: 'cancel' });
    await untilEnds(dialog.threadId, ['waiting']);
    await scene.write(dialog.phone);
    await scene.later(dialog.threadId, 0);
    await untilSettled(dialog.threadId);
    await untilEnds(dialog.threadId, ['cancelled replied']);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
  });

  it('that is STOP cancels all runs, whatever they say, and nothing is sent', async () => {
    const settings = { on_leave: 'continue', on_reply: 'continue', on_takeover: 'continue' };
    const dialog = await scene.begin([hour, THANKS], settings);
    await untilEnds(dialog.threadId, ['waiting']);
    await scene.write(dialog.phone, 'STOP');
    await untilEnds(dialog.threadId, ['cancelled opted_out']);
    // Nor does a stage that is entered later write to the customer.
    const next = scene.freeStage();
    await scene.scenario(next, [THANKS], settings);
    await scene.move(dialog.threadId, next);
    await untilEnds(dialog.threadId, ['cancelled opted_out', 'cancelled opted_out']);
    expect(scene.provider.sendsTo(dialog.phone)).toEqual([]);
  });
});

describe('a takeover', () => {
  const steps = [hour, LOOK, { kind: 'send_text', text: 'Текст' }] as const;

  it('with on_takeover wait keeps messages back until it ends, and only them', async () => {
    const { threadId, phone } = await scene.begin(steps);
    await untilEnds(threadId, ['waiting']);
    await scene.api.sendText(threadId, 'Я здесь');
    await scene.later(threadId, HOUR);
    await eventually(
      async () => (await scene.runs(threadId))[0]?.progress[2]?.state === 'waiting',
      8_000,
      'the run did not wait',
    );
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    await scene.api.setAi(threadId, true);
    await untilEnds(threadId, ['done']);
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
  });
});

describe('entering the stage again', () => {
  const again = async (threadId: string, stage: number): Promise<void> => {
    await scene.move(threadId, null);
    await scene.move(threadId, stage);
    await untilSettled(threadId);
  };

  it('restarts the run, is ignored while one goes on, and begins none with once or before the cooldown is over', async () => {
    const stage = scene.freeStage();
    const kinds = {
      restart: { reentry: 'restart' },
      ignore: { reentry: 'ignore' },
      once: { reentry: 'once' },
      cooldown: { reentry: 'restart', cooldown_seconds: 2 * HOUR },
    };
    const scenarios = new Map<string, string>();
    for (const [name, settings] of Object.entries(kinds))
      scenarios.set(await scene.scenario(stage, [hour], { on_leave: 'continue', ...settings }), name);
    const { threadId } = await scene.dialog();
    const untilAllEnd = (ends: Record<keyof typeof kinds, string[]>): Promise<unknown> =>
      eventually(
        async () => {
          const runs = await untilSettled(threadId);
          const of = (name: string) =>
            endsOf(runs.filter(({ scenario_id: id }) => scenarios.get(id) === name)).join();
          const wrong = Object.entries(ends).filter(([name, expected]) => of(name) !== expected.join());
          return wrong.length === 0;
        },
        8_000,
        `the runs did not become ${JSON.stringify(ends)}`,
      ).catch(async (error: unknown) => {
        const is = (await scene.runs(threadId)).map((run) => [scenarios.get(run.scenario_id), endsOf([run])]);
        throw new Error(`${String(error)}: ${JSON.stringify(is)}`);
      });
    const beganEarlier = async (name: keyof typeof kinds, by: string): Promise<void> => {
      const its = (await scene.runs(threadId)).filter((run) => scenarios.get(run.scenario_id) === name);
      for (const { id } of its)
        await change('scenario_runs', `started_at = started_at - interval '${by}'`, id);
    };
    await scene.move(threadId, stage);
    await untilSettled(threadId);
    await again(threadId, stage);
    const restarted = ['cancelled restarted', 'waiting'];
    await untilAllEnd({ restart: restarted, ignore: ['waiting'], once: ['waiting'], cooldown: ['waiting'] });
    await scene.later(threadId, HOUR);
    const over = ['cancelled restarted', 'done'];
    await untilAllEnd({ restart: over, ignore: ['done'], once: ['done'], cooldown: ['done'] });
    await beganEarlier('once', '3 days');
    await again(threadId, stage);
    await untilAllEnd({
      restart: [...over, 'waiting'],
      ignore: ['done', 'waiting'],
      once: ['done'],
      cooldown: ['done'],
    });
    await beganEarlier('cooldown', '2 hours');
    await again(threadId, stage);
    await untilAllEnd({
      restart: [...over, ...restarted],
      ignore: ['done', 'waiting'],
      once: ['done'],
      cooldown: ['done', 'waiting'],
    });
  });

  it('is not ignored where the lead has left and come back before anybody looked', async () => {
    const { threadId, stage } = await scene.begin([hour, THANKS], { reentry: 'ignore' });
    await untilEnds(threadId, ['waiting']);
    const hold = (lease: string): Promise<unknown> =>
      scene.database.pool.query(`UPDATE scenario_queues SET ${lease} WHERE thread_id = $1`, [
        uuidOf(threadId),
      ]);
    await hold(`lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 hour'`);
    await scene.move(threadId, null);
    await scene.move(threadId, stage);
    await hold('lease_token = NULL, lease_until = NULL');
    await untilEnds(threadId, ['cancelled left_stage', 'waiting']);
  });

  it('never begins another with once when other runs are deleted, 180 days after their end', async () => {
    const kinds = ['once', 'restart', 'restart'].map((reentry) => scene.begin([LOOK], { reentry }));
    const [once, gone, kept] = (await Promise.all(kinds)) as [BegunDialog, BegunDialog, BegunDialog];
    const aged = async ({ threadId }: BegunDialog, days: number): Promise<string> => {
      const [{ id }] = (await untilEnds(threadId, ['done'])) as [KeptRunRow];
      const set = ['started_at', 'entered_at', 'finished_at'].map(
        (at) => `${at} = ${at} - interval '${days} days'`,
      );
      await change('scenario_runs', set.join(), id);
      return id;
    };
    const ids = [await aged(once, 3_000), await aged(gone, 181), await aged(kept, 179)];
    const statuses = async () => {
      const admin = scene.admin;
      return Promise.all(ids.map(async (id) => (await admin.admin('GET', `scenario-runs/${id}`)).status));
    };
    await eventually(async () => (await statuses()).includes(404), 10_000, 'no run was deleted');
    expect(await statuses()).toEqual([200, 404, 200]);
    for (const { threadId, stage } of [once, gone]) await again(threadId, stage);
    expect(endsOf(await scene.runs(once.threadId))).toEqual(['done']);
    await untilEnds(gone.threadId, ['done']);
    expect((await scene.runs(gone.threadId))[0]?.id).not.toBe(ids[1]);
  });

  it('at two processes at once leaves one run, with restart, ignore and once', async () => {
    const stage = scene.freeStage();
    const kinds = ['restart', 'ignore', 'once'];
    const scenarios = new Map<string, string>();
    for (const reentry of kinds)
      scenarios.set(await scene.scenario(stage, [hour], { on_leave: 'continue', reentry }), reentry);
    const { threadId } = await scene.dialog();
    const moves = Array.from({ length: 8 }, (_, n) =>
      scene.apiAt(n).setStatus({ thread_id: threadId, status_id: n % 4 < 2 ? scene.stage(stage) : null }),
    );
    await Promise.all(moves);
    await scene.move(threadId, stage);
    const runs = await untilSettled(threadId);
    const kindsThat = (is: (run: KeptRunRow) => boolean): (string | undefined)[] =>
      runs.filter(is).map((run) => scenarios.get(run.scenario_id));
    expect(kindsThat(({ state }) => state === 'waiting').toSorted()).toEqual(kinds.toSorted());
    const others = runs.filter(({ state }) => state !== 'waiting');
    expect(others.map((run) => [scenarios.get(run.scenario_id), ...endsOf([run])])).toEqual(
      others.map(() => ['restart', 'cancelled restarted']),
    );
  });
});

describe('scenarios of one stage', () => {
  it('begin by order, and one run at a time acts', async () => {
    const stage = scene.freeStage();
    const text = (words: string): StepDefinition => ({ kind: 'send_text', text: words });
    for (const order of [3, 1, 2])
      await scene.scenario(stage, [text(`${order}a`), text(`${order}b`)], { order });
    const { threadId, phone } = await scene.dialog();
    let underWay = 0;
    let together = 0;
    scene.provider.on(phone, async (response, received, n) => {
      together = Math.max(together, (underWay += 1));
      await new Promise((resolve) => setTimeout(resolve, 30));
      underWay -= 1;
      await accept(response, received, n);
    });
    await scene.move(threadId, stage);
    await untilEnds(threadId, ['done', 'done', 'done']);
    const said = scene.provider.sendsTo(phone).map(({ body }) => (body.text as { body: string }).body);
    expect(said).toEqual(['1a', '1b', '2a', '2b', '3a', '3b']);
    expect(together).toBe(1);
  });

  it('that were paused or switched off after the move have begun with it', async () => {
    const [before, stage] = [scene.freeStage(), scene.freeStage()];
    await scene.scenario(before, [hour], { on_leave: 'continue' });
    const held = await scene.scenario(stage, [LOOK], { order: 1 });
    const off = await scene.scenario(stage, [LOOK], { order: 2 });
    const { threadId } = await scene.dialog();
    await scene.move(threadId, before);
    await untilEnds(threadId, ['waiting']);
    // As if the process that serves the dialog had been killed.
    const lease = `lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 minute'`;
    const id = uuidOf(threadId);
    await scene.database.pool.query(`UPDATE scenario_queues SET ${lease} WHERE thread_id = $1`, [id]);
    await scene.move(threadId, stage);
    await change('scenarios', `state = 'paused'`, held);
    await change('scenarios', `state = 'off'`, off);
    await scene.database.pool.query('UPDATE scenario_queues SET lease_until = NULL WHERE thread_id = $1', [
      id,
    ]);
    await untilEnds(threadId, ['waiting', 'running', 'done']);
    await change('scenarios', `state = 'on'`, held);
    await scene.later(threadId, 0);
    await untilEnds(threadId, ['waiting', 'done', 'done']);
  });
});

describe('a move', () => {
  it('that clears the stage, changes none, or skips scenarios starts none', async () => {
    const dialog = await scene.begin([LOOK]);
    const { threadId, stage } = dialog;
    await untilEnds(threadId, ['done']);
    await scene.move(threadId, stage);
    await scene.move(threadId, null);
    const skipping = { thread_id: threadId, status_id: scene.stage(stage), skip_scenarios: true };
    expect((await scene.api.setStatus(skipping)).status).toBe(200);
    expect(endsOf(await untilSettled(threadId))).toEqual(['done']);
  });

  it('by a key names it as the cause, and gives its id to the entry of the run, as a start by hand does', async () => {
    const { threadId, scenarioId } = await scene.begin([LOOK]);
    const [run] = await untilEnds(threadId, ['done']);
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE account_id = $1',
      [scene.account.id],
    );
    expect(run).toMatchObject({ cause: { type: 'key', id: rows[0]?.id, name: 'key' }, depth: 1 });
    const begunBy = async (): Promise<(string | null)[]> => {
      const { body } = await scene.api.getHistory({ thread_id: threadId });
      const { entries } = body.data as { entries: { type: string; to: string; request_id: string | null }[] };
      return entries.filter(({ to }) => to === 'started').map(({ request_id: id }) => id);
    };
    const moved = await scene.api.getHistory({ thread_id: threadId });
    const { entries } = moved.body.data as { entries: { type: string; request_id: string | null }[] };
    const move = entries.find(({ type }) => type === 'status')?.request_id;
    expect(move).toEqual(expect.any(String));
    expect(await begunBy()).toEqual([move]);
    const start = { thread_ids: [threadId] };
    const { headers } = await scene.admin.admin('POST', `scenarios/${scenarioId}/start`, start);
    await untilEnds(threadId, ['done', 'done']);
    expect(await begunBy()).toEqual([headers.get('x-request-id'), move]);
  });

  it('or another call gives its id to the entries of the runs that it ended', async () => {
    const stage = scene.freeStage();
    for (const settings of [{ on_leave: 'continue', on_takeover: 'cancel' }, {}, { on_leave: 'continue' }])
      await scene.scenario(stage, [hour], settings);
    const { threadId } = await scene.dialog();
    await scene.move(threadId, stage);
    await untilEnds(threadId, ['waiting', 'waiting', 'waiting']);
    /** The ids of the calls that the history tells of a reason. */
    const endedBy = (note: string): Promise<unknown> =>
      eventually(
        async () => {
          const { body } = await scene.api.getHistory({ thread_id: threadId });
          const entries = body.data.entries as { note: string; request_id: string | null }[];
          return entries.find((entry) => entry.note === note)?.request_id;
        },
        8_000,
        `the history has no entry of a call by which a run ended: ${note}`,
      );
    const wrote = await scene.api.sendText(threadId, 'Ой');
    expect(await endedBy('takeover')).toBe(wrote.headers.get('x-request-id'));
    const left = await scene.api.setStatus({ thread_id: threadId, status_id: null });
    expect(await endedBy('left_stage')).toBe(left.headers.get('x-request-id'));
    const entered = await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(stage) });
    expect(await endedBy('restarted')).toBe(entered.headers.get('x-request-id'));
  });
});

describe('a chain of runs that start each other', () => {
  it('is sixteen long; the seventeenth fails as a loop, and asks for a person', async () => {
    const [first, second, third] = [scene.freeStage(), scene.freeStage(), scene.freeStage()];
    await scene.scenario(first, [hour, to(second)]);
    await scene.scenario(second, [to(third)]);
    await scene.scenario(third, [LOOK]);
    const { threadId } = await scene.dialog();
    await scene.move(threadId, first);
    const [begun] = (await untilEnds(threadId, ['waiting'])) as [KeptRunRow];
    // As if it were the fifteenth.
    await change('scenario_runs', 'depth = 15', begun.id);
    await scene.later(threadId, HOUR);
    const runs = await untilEnds(threadId, ['done', 'done', 'failed loop']);
    expect(runs.map(({ depth }) => depth)).toEqual([15, 16, 17]);
    expect(runs[2]?.progress).toEqual([]);
    expect((await scene.api.getLead(threadId)).body.data.status.id).toBe(scene.stage(third));
    expect(await historyOf(threadId, 'attention')).toMatchObject([{ by: 'SCENARIO', to: 'scenario' }]);
  });

  it('through other systems ends with the 21st run of a scenario in a day', async () => {
    const { threadId, stage } = await scene.begin([LOOK]);
    const [run] = await untilEnds(threadId, ['done']);
    await scene.database.pool.query(
      `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause,
                                  due_since, started_at, finished_at)
       SELECT account_id, gen_random_uuid(), scenario_id, thread_id, status_id, entered_at, revision, state, cause,
              due_since, started_at - n * interval '30 minutes', finished_at
         FROM scenario_runs, generate_series(1, 18) n WHERE id = $1`,
      [run?.id],
    );
    const enter = async (): Promise<string[]> => {
      await scene.move(threadId, null);
      await scene.move(threadId, stage);
      return endsOf(await untilSettled(threadId)).slice(19);
    };
    expect(await enter()).toEqual(['done']);
    expect(await enter()).toEqual(['done', 'failed loop']);
  });
});

describe('a move by a person on the board', () => {
  /** No operation moves so yet. */
  async function moveByPerson(threadId: string, stage: number): Promise<void> {
    await scene.database.pool.query(
      MOVE.text,
      orderedValues(MOVE, {
        ...{ accountId: scene.account.id, threadId: uuidOf(threadId), statusId: scene.stage(stage) },
        ...{
          assistantIds: [scene.account.assistantId],
          answer: false,
          hasExpected: false,
          expectedStatusId: null,
        },
        ...{
          cipherKeyId: null,
          setBy: 'OPERATOR_MANUAL',
          actor: null,
          requestId: null,
          startScenarios: true,
        },
        ...{
          ifEpoch: null,
          cause: { type: 'user', id: scene.account.id, name: 'Айгуль' },
          depth: 1,
          byRun: null,
          trace: null,
        },
      }),
    );
    // It begins as soon as somebody looks.
    await untilSettled(threadId);
  }

  const attentionOf = async (threadId: string): Promise<string | null> => {
    const { body } = await scene.api.getThreads({ thread_ids: [threadId] });
    const [thread] = body.data.threads as { attention: { reason: string } | null }[];
    return thread?.attention?.reason ?? null;
  };

  it('has its runs’ first effect no sooner than 10 s later: on the dialog, as on the customer', async () => {
    const stage = scene.freeStage();
    await scene.scenario(stage, [
      LOOK,
      { kind: 'send_text', text: 'Спасибо' },
      { kind: 'send_text', text: 'Ждём' },
    ]);
    const { threadId, phone } = await scene.dialog();
    await moveByPerson(threadId, stage);
    const [run] = await eventually(
      async () => {
        const runs = await scene.runs(threadId);
        return runs[0]?.progress[0]?.state === 'waiting' && runs;
      },
      8_000,
      'the message did not wait',
    );
    const { rows } = await scene.database.pool.query<{ seconds: number }>(
      'SELECT extract(epoch FROM next_at - entered_at)::float8 AS seconds FROM scenario_runs WHERE id = $1',
      [run?.id],
    );
    expect(rows[0]?.seconds).toBeCloseTo(10, 2);
    expect(run?.cause).toMatchObject({ type: 'user', name: 'Айгуль' });
    expect(scene.provider.sendsTo(phone)).toEqual([]);
    expect(await attentionOf(threadId)).toBeNull();
    await change('scenario_runs', `customer_after = customer_after - interval '10 s'`, run?.id ?? '');
    await scene.later(threadId, 10);
    await untilEnds(threadId, ['done']);
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
    expect(await attentionOf(threadId)).toBe('scenario');
  });

  describe('that is undone', () => {
    const ONCE = { reentry: 'once', cooldown_seconds: HOUR };

    it('before anything was sent counts neither for once nor for a cooldown nor as one of a loop', async () => {
      const stage = scene.freeStage();
      await scene.scenario(stage, [LOOK, THANKS], ONCE);
      const { threadId } = await scene.dialog();
      const undone = Array.from({ length: 6 }, () => 'cancelled left_stage');
      for (let n = 0; n < undone.length; n += 1) {
        await moveByPerson(threadId, stage);
        await untilEnds(threadId, [...undone.slice(0, n), 'waiting']);
        await scene.move(threadId, null);
        await untilEnds(threadId, undone.slice(0, n + 1));
      }
      await moveByPerson(threadId, stage);
      await untilEnds(threadId, [...undone, 'waiting']);
    });

    it.each<[string, StepDefinition[], string]>([
      ['later than that counts', [hour, THANKS], `customer_after - interval '1 minute'`],
      ['after something was sent counts', [THANKS, hour], `clock_timestamp() + interval '1 minute'`],
    ])('%s', async (_, steps, after) => {
      const stage = scene.freeStage();
      await scene.scenario(stage, steps, ONCE);
      const { threadId } = await scene.dialog();
      await moveByPerson(threadId, stage);
      const [{ id }] = (await untilEnds(threadId, ['waiting'])) as [KeptRunRow];
      if (steps[0] === THANKS) {
        await change('scenario_runs', `customer_after = customer_after - interval '10 s'`, id);
        await scene.later(threadId, 10);
        const sent = async (): Promise<boolean> => (await scene.runs(threadId))[0]?.progress.length === 2;
        await eventually(sent, 8_000, 'nothing was sent');
        await untilSettled(threadId);
      }
      await change('scenario_runs', `customer_after = ${after}`, id);
      await scene.move(threadId, null);
      await untilEnds(threadId, ['cancelled left_stage']);
      await moveByPerson(threadId, stage);
      await untilEnds(threadId, ['cancelled left_stage']);
    });
  });
});

describe('history', () => {
  it('names each run’s beginning and end, with the reason', async () => {
    const [stage, failing] = [scene.freeStage(), scene.freeStage()];
    const scenario = await scene.scenario(stage, [LOOK], { order: 1 });
    await scene.scenario(stage, [hour], { order: 2 });
    await scene.scenario(failing, [{ kind: 'send_text', text: '{{lead.name}}' }]);
    const { threadId } = await scene.dialog();
    await scene.move(threadId, stage);
    const [run] = await untilEnds(threadId, ['done', 'waiting']);
    await scene.move(threadId, failing);
    await untilEnds(threadId, ['done', 'cancelled left_stage', 'failed step_failed']);
    const entries = await historyOf(threadId, 'scenario');
    expect(entries.map(({ by, to: end, note }) => `${by} ${end} ${note ?? '-'}`).sort()).toEqual([
      'SCENARIO cancelled left_stage',
      'SCENARIO done -',
      'SCENARIO failed step_failed',
      'SCENARIO started -',
      'SCENARIO started -',
      'SCENARIO started -',
    ]);
    const actor = { type: 'scenario', id: scenario, name: 'scenario', run_id: run?.id };
    expect(
      entries.filter(
        (entry) => (entry as { actor?: object }).actor && JSON.stringify(entry).includes(scenario),
      ),
    ).toMatchObject([
      { actor, from: null, to: 'started' },
      { actor, from: null, to: 'done' },
    ]);
  });
});

describe('boards, at two processes', () => {
  it('hear live what a run does, who did it, and that it asks for a person', async () => {
    const [stage, next] = [scene.freeStage(), scene.freeStage()];
    const scenario = await scene.scenario(stage, [to(next), LOOK, THANKS]);
    const { threadId } = await scene.dialog();
    const boards = await Promise.all(
      scene.servers.map(({ url }) => BoardClient.connect(url, { api_key: scene.account.key })),
    );
    try {
      for (const board of boards) await board.open(scene.account.assistantId);
      await scene.move(threadId, stage);
      const [run] = await untilEnds(threadId, ['done']);
      const { version } = await scene.kept.thread(threadId);
      for (const board of boards) {
        await board.hears((event) => event.thread_id === threadId && event.version === version);
        const heard = board.events.filter((event) => event.thread_id === threadId);
        expect(heard.map((event) => event.version)).toEqual(
          Array.from({ length: version - 1 }, (_, n) => n + 2),
        );
        expect(heard).toContainEqual(
          expect.objectContaining({
            event: 'card.moved',
            ...{
              from_status_id: scene.stage(stage),
              to_status_id: scene.stage(next),
              status_set_by: 'SCENARIO',
            },
            actor: { type: 'scenario', id: scenario, name: 'scenario', run_id: run?.id },
          }),
        );
        expect(heard.at(-1)?.card.attention).toMatchObject({ reason: 'scenario', note: 'Look' });
        const sent = heard.find(({ event }) => event === 'message.created');
        expect(sent).toMatchObject({ message: { role: 'SYSTEM' } });
      }
    } finally {
      for (const board of boards) board.close();
    }
  });
});
