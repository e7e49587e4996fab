import type { Answer } from '../../support/clients/api.client';
import { FigureModel } from '../../support/database/figure.model';
import { eventually } from '../../support/eventually';
import { OpenMove } from '../../support/faults/open.move';
import { CLUSTERS } from '../../support/database/test.database';
import { setScene } from '../../support/scenes/base.scene';

const STAGES = [{}, {}, {}, { kind: 'success' }] as const;

describe.each(CLUSTERS)('Figures, PostgreSQL $name,', ({ name }) => {
  const scene = setScene({ version: name, servers: 2, stages: [...STAGES] });

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
