import type { Answer } from '../clients/api.client';
import { eventually } from '../eventually';
import { extend, makeScene, type Scene, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { ScriptedProvider } from '../stand-ins/scripted.provider';
import { shared } from '../worker/shared';

let lastPhone = 77_010_000_000;

/** A phone that the test file uses nowhere else. */
export const newPhone = (): string => `+${(lastPhone += 1)}`;

export const newPhones = (count: number): string[] => Array.from({ length: count }, newPhone);

/** The worker's provider, or one of the scene's own. */
export async function providerOf(scene: Scene): Promise<ScriptedProvider> {
  if (scene.sharesServer) return shared.takeProvider();
  const provider = await ScriptedProvider.start();
  scene.whenClosed(() => provider.stop());
  return provider;
}

export type SendScene = ReturnType<typeof makeSendScene>;

/** A scene whose bot has a number at a scripted provider. */
export function makeSendScene(options?: SceneOptions) {
  let provider: ScriptedProvider;
  let sender: string;

  const scene = extend(makeScene(options), {
    get provider(): ScriptedProvider {
      return provider;
    },

    /** The number's phone_number_id. */
    get sender(): string {
      return sender;
    },

    /** Sends the template `order_ready` by the account's bot. */
    send(
      to: object,
      more: object = {},
      { headers = {}, server = 0 }: { headers?: Record<string, string>; server?: number } = {},
    ): Promise<Answer> {
      const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
      return scene.apiAt(server).sendTemplate({ ...order, to, ...more }, headers);
    },

    async statusOf(id: string): Promise<string> {
      const { rows } = await scene.database.pool.query<{ status: string }>(
        'SELECT status FROM messages WHERE id = $1',
        [id],
      );
      return rows[0]?.status ?? 'none';
    },

    /** Statuses of all messages of ours, with how many there are of each. */
    async statuses(): Promise<Record<string, number>> {
      const { rows } = await scene.database.pool.query<{ status: string; n: number }>(
        `SELECT status, count(*)::int AS n FROM messages WHERE account_id = $1 AND NOT inbound GROUP BY status`,
        [scene.account.id],
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },

    async untilStatus(id: string, status: string, milliseconds = 10_000): Promise<void> {
      await eventually(
        async () => (await scene.statusOf(id)) === status,
        milliseconds,
        `the message did not become ${status}`,
      );
    },
  });

  scene.withStandIns(async () => {
    provider = await providerOf(scene);
    return provider.environment;
  });
  scene.whenStarted(async () => {
    sender = await scene.account.connect();
  });
  return scene;
}

export const { set: setSendScene } = sceneOf(makeSendScene);
