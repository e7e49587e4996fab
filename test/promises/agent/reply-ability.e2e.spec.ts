import type { Answer } from '../../support/clients/api.client';
import { uuidOf } from '../../support/database/thread.uuid';
import { setScene, type Scene } from '../../support/scenes/base.scene';

const WAITS = { waitingMinutes: 5 };

const took = ({ status, body }: Answer): boolean => {
  expect(status).toBe(200);
  return body.data.answered_pending_message as boolean;
};

/** The three calls that answer what waits; each has a dialog of its own. */
const WAYS = {
  'set-status with the flag': async (scene: Scene, thread: string) =>
    took(await scene.api.setStatus(flagged(scene, thread))),
  'set-status-bulk with the flag': async (scene: Scene, thread: string) => inBulk(scene, thread, false),
  'a dry run with the flag': async (scene: Scene, thread: string) => inBulk(scene, thread, true),
  'set-ai true': async (scene: Scene, thread: string) => {
    await scene.kept.setFacts(thread, 'ai_enabled = false');
    return took(await scene.api.setAi(thread, true));
  },
};

const flagged = (scene: Scene, thread_id: string): object => ({
  thread_id,
  status_id: scene.stage(0),
  answer_pending_message: true,
});

async function inBulk(scene: Scene, thread: string, dry_run: boolean): Promise<boolean> {
  const { status, body } = await scene.api.setStatusBulk({ items: [flagged(scene, thread)], dry_run });
  expect(status).toBe(200);
  return body.data.results[0].data.answered_pending_message as boolean;
}

async function waits(scene: Scene, thread: string): Promise<boolean> {
  const { body } = await scene.api.getThreads({ waiting: true, limit: 200 });
  const threads = body.data.threads as { thread_id: string }[];
  return threads.some(({ thread_id }) => thread_id === thread);
}

const EACH = Object.keys(WAYS) as (keyof typeof WAYS)[];

describe('Where a model is configured', () => {
  const scene = setScene({ agentCouldAnswer: true });

  it.each(EACH)('%s answers what waits', async (way) => {
    expect(await WAYS[way](scene, await scene.account.addThread(WAITS))).toBe(true);
  });

  describe.each([
    ['is not connected', 'credential = NULL, credential_key_id = NULL'],
    ['has a credential that another key sealed', `credential_key_id = 'a0b1c2d3'`],
    ['is stopped by its provider', 'stopped_at = clock_timestamp()'],
  ])('and the number %s', (_, facts) => {
    it('nothing is answered, and the message goes on waiting', async () => {
      const botId = await scene.account.addBot();
      await scene.account.connect('waba_coexistence', { botId });
      await scene.database.pool.query(`UPDATE bot_channels SET ${facts} WHERE bot_id = $1`, [botId]);
      for (const way of EACH) {
        const thread = await scene.account.addThread(WAITS, scene.account.assistantId, botId);
        const taken = await WAYS[way](scene, thread);
        expect({ way, taken }).toEqual({ way, taken: false });
        expect(await scene.kept.replies(thread)).toEqual([]);
        expect(await waits(scene, thread)).toBe(true);
      }
    });
  });

  it.each(EACH)(
    'and the hour’s limit is reached, %s answers nothing, until it is not any more',
    async (way) => {
      const thread = await scene.account.addThread(WAITS);
      const limit = (replies: number): Promise<unknown> =>
        scene.database.pool.query('UPDATE assistants SET replies_per_hour = $2 WHERE id = $1', [
          scene.account.assistantId,
          replies,
        ]);
      await scene.database.pool.query(
        `INSERT INTO replies (account_id, thread_id, message_id, epoch, state, due_at, part_sent, parts)
       VALUES ($1, $2, gen_random_uuid(), 0, 'answered', clock_timestamp(), true, 1)`,
        [scene.account.id, uuidOf(thread)],
      );
      try {
        await limit(1);
        expect(await WAYS[way](scene, thread)).toBe(false);
        expect(await waits(scene, thread)).toBe(true);
        await limit(2);
        expect(await WAYS[way](scene, thread)).toBe(true);
      } finally {
        await limit(60);
      }
    },
  );
});
