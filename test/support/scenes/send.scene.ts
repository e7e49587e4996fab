import type { Answer } from '../clients/api.client';
import { eventually } from '../eventually';
import { LeadScene, type SceneOptions } from './lead.scene';
import { ScriptedProvider } from '../stand-ins/scripted.provider';
import { shared } from '../worker/shared';

let lastPhone = 77_010_000_000;

/** A phone that the test file uses nowhere else. */
export const newPhone = (): string => `+${(lastPhone += 1)}`;

export const newPhones = (count: number): string[] => Array.from({ length: count }, newPhone);

/** A lead scene whose bot has a number at a scripted provider. */
export class SendScene extends LeadScene {
  provider: ScriptedProvider;
  /** The number's phone_number_id. */
  sender: string;

  override async start(): Promise<void> {
    await super.start();
    this.sender = await this.account.connect();
  }

  protected override async startStandIns(): Promise<Record<string, string>> {
    this.provider = await (this.sharesServer ? shared.takeProvider() : ScriptedProvider.start());
    return this.provider.environment;
  }

  /** Sends the template `order_ready` by the account's bot. */
  send(
    to: object,
    more: object = {},
    { headers = {}, server = 0 }: { headers?: Record<string, string>; server?: number } = {},
  ): Promise<Answer> {
    const order = { bot_id: this.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    return this.apiAt(server).sendTemplate({ ...order, to, ...more }, headers);
  }

  async statusOf(id: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ status: string }>(
      'SELECT status FROM messages WHERE id = $1',
      [id],
    );
    return rows[0]?.status ?? 'none';
  }

  /** Statuses of all messages of ours, with how many there are of each. */
  async statuses(): Promise<Record<string, number>> {
    const { rows } = await this.database.pool.query<{ status: string; n: number }>(
      `SELECT status, count(*)::int AS n FROM messages WHERE account_id = $1 AND NOT inbound GROUP BY status`,
      [this.account.id],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  }

  async untilStatus(id: string, status: string, milliseconds = 10_000): Promise<void> {
    await eventually(
      async () => (await this.statusOf(id)) === status,
      milliseconds,
      `the message did not become ${status}`,
    );
  }

  override async close(): Promise<void> {
    await super.close();
    if (!this.sharesServer) await this.provider?.stop();
  }
}

/** Sets the scene for a test file; it is there from the first hook on. */
export function setSendScene(options?: SceneOptions): SendScene {
  const scene = new SendScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
