import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import { AccountFixture } from '../support/database/fixture';
import { CloudNumber, cloudBody, wamid } from '../support/stand-ins/cloud.webhooks';
import { SECRETS } from '../support/programs/server.process';

const DEADLINE_MS = 30_000;

/** The customers of one number, and what Meta tells of them: words of new customers, and how far messages of ours came. */
export class WebhookLoad {
  private readonly came: string[] = [];
  private told = 0;

  private constructor(
    private readonly db: Pool,
    private readonly account: AccountFixture,
    private readonly number: CloudNumber,
    private readonly ours: readonly string[],
  ) {}

  /**
   * @param sent how many messages of ours there are, for reports of states
   */
  static async gather(db: Pool, sent: number): Promise<WebhookLoad> {
    const account = await AccountFixture.create(db);
    const number = new CloudNumber(await account.connect());
    const ours: string[] = [];
    while (ours.length < sent) {
      const messageId = wamid();
      await account.addMessage(await account.addThread(), { role: 'SYSTEM', status: 'sent', messageId });
      ours.push(messageId);
    }
    return new WebhookLoad(db, account, number, ours);
  }

  /** Two bodies by turns: a customer's first words, and the delivery of one message of ours. */
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

  /** Resolves when each effect is there once. @throws at the deadline. */
  async untilApplied(): Promise<void> {
    const last = performance.now() + DEADLINE_MS;
    for (;;) {
      const missing = await this.look();
      if (missing === 0) return;
      if (performance.now() > last) throw new Error(`${missing} effects of webhooks are missing or doubled`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** How many effects are not there, or there twice. */
  private async look(): Promise<number> {
    const { rows } = await this.db.query<{ came: number; again: number; delivered: number }>(
      `SELECT count(DISTINCT provider_id) FILTER (WHERE inbound)::int AS came,
              (count(*) FILTER (WHERE inbound) - count(DISTINCT provider_id) FILTER (WHERE inbound))::int AS again,
              count(*) FILTER (WHERE NOT inbound AND status = 'delivered')::int AS delivered
         FROM messages WHERE account_id = $1`,
      [this.account.id],
    );
    const { came = 0, again = 0, delivered = 0 } = rows[0] ?? {};
    return this.came.length - came + again + (this.told - delivered);
  }
}

/**
 * Posts webhooks at fixed times, whether earlier ones are answered or not, as a provider does.
 * @returns the milliseconds of each from when it was due, whether anything was late before it.
 * @throws at the first that is not answered 200.
 */
export async function postAtPace(
  url: string,
  perSecond: number,
  count: number,
  next: () => string,
): Promise<number[]> {
  const limits = { headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS };
  const http = new HttpPool(url, { connections: 64, pipelining: 1, ...limits });
  const begun = performance.now();
  const post = async (body: string, due: number): Promise<number> => {
    const signature = createHmac('sha256', SECRETS.CLOUD_API_APP_SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    const response = await http.request({ method: 'POST', path: '/webhooks/whatsapp', headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 200)
      throw new Error(`a webhook was answered ${response.statusCode}: ${text}`);
    return performance.now() - due;
  };
  const posted: Promise<number>[] = [];
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
