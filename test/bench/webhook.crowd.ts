import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import { AccountFixture } from '../support/fixture';
import { CloudNumber, cloudBody, wamid } from '../support/cloud.webhooks';
import { SECRETS } from '../support/server.process';

const DEADLINE_MS = 30_000;

/** One webhook, and when it was due, by this process's clock. */
export interface Acknowledged {
  status: number;
  /** From when it was due, whether anything was late before it. */
  milliseconds: number;
}

/** The customers of one number, and what Meta tells of them: words of new customers, and how far messages of ours came. */
export class WebhookCrowd {
  private readonly came: string[] = [];
  private told = 0;

  private constructor(
    private readonly db: Pool,
    private readonly account: AccountFixture,
    private readonly number: CloudNumber,
    private readonly ours: readonly string[],
  ) {}

  /** @param sent how many messages of ours there are, for states to be told of. */
  static async gather(db: Pool, sent: number): Promise<WebhookCrowd> {
    const account = await AccountFixture.create(db);
    const number = new CloudNumber(await account.connect());
    const ours: string[] = [];
    while (ours.length < sent) {
      const messageId = wamid();
      await account.addMessage(await account.addThread(), { role: 'SYSTEM', status: 'sent', messageId });
      ours.push(messageId);
    }
    return new WebhookCrowd(db, account, number, ours);
  }

  /** Bodies in turn: a customer's first words, and the delivery of one message of ours. */
  next(): string {
    const id = this.ours[this.told];
    if (this.came.length > this.told && id !== undefined) {
      this.told += 1;
      return cloudBody([this.number.status(id, 'delivered')]);
    }
    const message = wamid();
    this.came.push(message);
    const from = { phone: String(77_020_000_000 + this.came.length), name: 'Aigerim' };
    return cloudBody([
      this.number.message(from, 'Good afternoon! When will my order be ready?', { id: message }),
    ]);
  }

  /** Effects that are not there, or there twice, at most until the deadline. */
  async missing(): Promise<number> {
    const last = performance.now() + DEADLINE_MS;
    for (;;) {
      const missing = await this.look();
      if (missing === 0 || performance.now() > last) return missing;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  private async look(): Promise<number> {
    const { rows } = await this.db.query<{ came: number; again: number; delivered: number }>(
      `SELECT count(DISTINCT provider_id) FILTER (WHERE came_in)::int AS came,
              (count(*) FILTER (WHERE came_in) - count(DISTINCT provider_id) FILTER (WHERE came_in))::int AS again,
              count(*) FILTER (WHERE NOT came_in AND status = 'delivered')::int AS delivered
         FROM messages WHERE account_id = $1`,
      [this.account.id],
    );
    const { came = 0, again = 0, delivered = 0 } = rows[0] ?? {};
    return this.came.length - came + again + (this.told - delivered);
  }
}

/** Posts webhooks at fixed times, whether earlier ones are answered or not, as a provider does. */
export async function postAtPace(
  url: string,
  perSecond: number,
  count: number,
  next: () => string,
): Promise<Acknowledged[]> {
  const http = new HttpPool(url, { connections: 64, pipelining: 1 });
  const begun = performance.now();
  const post = async (body: string, due: number): Promise<Acknowledged> => {
    const signature = createHmac('sha256', SECRETS.CLOUD_API_APP_SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    const response = await http.request({ method: 'POST', path: '/webhooks/whatsapp', headers, body });
    await response.body.dump();
    return { status: response.statusCode, milliseconds: performance.now() - due };
  };
  const posted: Promise<Acknowledged>[] = [];
  for (let n = 0; n < count; n++) {
    const due = begun + (n * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    posted.push(post(next(), due));
  }
  const answers = await Promise.all(posted);
  await http.close();
  return answers;
}
