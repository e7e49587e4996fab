import type { Answer } from '../support/clients/api.client';
import { FigureModel } from '../support/database/figure.model';
import { eventually } from '../support/eventually';
import { CLUSTERS } from '../support/database/test.database';
import { setScene } from '../support/scenes/base.scene';

const STAGES = [{}, {}, {}, { kind: 'success' }] as const;
const LEADS = 12;
const KILLS = 3;
const MOVES_BETWEEN = 200;

describe.each(CLUSTERS)('Figures, PostgreSQL $name,', ({ name }) => {
  const scene = setScene({
    version: name,
    // Started before the storm, which would make each start ten times as long.
    servers: 2 + KILLS,
    stages: [...STAGES],
  });

  const span = {
    from: new Date(Date.now() - 86_400_000),
    to: new Date(Date.now() + 86_400_000),
    timezone: 'Asia/Kolkata',
  };
  const ask = (server: number): Promise<Answer> =>
    scene.apiAt(server).call('leads/get-funnel-figures', {
      assistant_id: scene.account.assistantId,
      ...span,
    });

  /** Everything but the days, of which one may end meanwhile. */
  async function expectRecount(server: number): Promise<void> {
    const { body } = await ask(server);
    const { stages, messages, first_answers } = (await FigureModel.read(scene.account)).funnel(
      span,
    ) as Record<string, unknown>;
    expect(body.data).toMatchObject({
      complete: true,
      stages,
      messages,
      first_answers,
    });
  }

  it('equal a recount after kill -9 of processes that count while leads move', async () => {
    const threads = await Promise.all(Array.from({ length: LEADS }, () => scene.account.addThread()));
    await Promise.all(
      threads.map((thread) => scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) })),
    );
    let [moved, stopped] = [0, false];
    const callers = threads.map(async (thread_id) => {
      for (let call = 1; !stopped; call += 1) {
        const status_id = scene.stage(call % STAGES.length);
        const answer = await scene
          .apiAt(call % 2)
          .setStatus({ thread_id, status_id })
          .catch(() => null);
        if (answer?.status === 200) moved += 1;
      }
    });
    const readers = [0, 1].map(async (reader) => {
      while (!stopped) await ask(reader).catch(() => null);
    });
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const enough = moved + MOVES_BETWEEN;
        await eventually(async () => moved >= enough, 30_000, 'the leads did not move on');
        await scene.servers.shift()?.kill('SIGKILL');
      }
    } finally {
      stopped = true;
      await Promise.all([...callers, ...readers]);
    }
    await expectRecount(0);
    await expectRecount(1);
  });
});
