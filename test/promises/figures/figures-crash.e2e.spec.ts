import type { Answer } from '../../support/clients/api.client';
import { FigureModel } from '../../support/database/figure.model';
import { eventually } from '../../support/eventually';
import { OpenMove } from '../../support/faults/open.move';
import { CLUSTERS } from '../../support/database/test.database';
import { LeadScene } from '../../support/scenes/lead.scene';

const STAGES = [{}, {}, {}, { kind: 'success' }] as const;
const LEADS = 12;
const KILLS = 3;
const MOVES_BETWEEN = 200;

describe.each(CLUSTERS)('Figures, PostgreSQL $name,', ({ name }) => {
  let scene: LeadScene;

  beforeAll(async () => {
    scene = await LeadScene.open({
      version: name,
      // Started before the storm, which would make each start ten times as long.
      servers: 2 + KILLS,
      stages: [...STAGES],
    });
  });
  afterAll(() => scene?.close());

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

  const positionOf = async (): Promise<number> => {
    const { rows } = await scene.database.pool.query<{ seq: number }>(
      'SELECT seq::float8 AS seq FROM figure_positions WHERE account_id = $1',
      [scene.account.id],
    );
    return rows[0]?.seq ?? 0;
  };
  const newest = async (): Promise<number> => {
    const { rows } = await scene.database.pool.query<{ seq: number }>(
      'SELECT max(seq)::float8 AS seq FROM events WHERE account_id = $1',
      [scene.account.id],
    );
    return rows[0]?.seq ?? 0;
  };

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
  }, 180_000);

  it('have what becomes visible late, below what is counted, and never count past it', async () => {
    const [late, next] = [await scene.account.addThread(), await scene.account.addThread()];
    const open = await OpenMove.begin(scene.database.url, late, scene.stage(0));
    try {
      await scene.api.setStatus({ thread_id: next, status_id: scene.stage(1) });
      await expectRecount(0);
      await expectRecount(1);
      expect(await positionOf()).toBeLessThan(open.seq);
    } finally {
      await open.commit();
    }
    await expectRecount(0);
    await eventually(
      async () => (await positionOf()) === (await newest()),
      30_000,
      'not everything was counted for good',
    );
    await expectRecount(1);
  });
});
