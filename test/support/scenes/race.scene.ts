import type { CloudNumber } from '../stand-ins/cloud.webhooks';
import { cloudBody } from '../stand-ins/cloud.webhooks';
import { eventually } from '../eventually';
import type { AccountFixture } from '../database/fixture';
import { injected } from '../faults/injected.faults';
import { newCustomer, ReplyScene } from './reply.scene';
import { endAll, type ServerProcess } from '../programs/server.process';

/** A reply that the model has written and holds back at its very end. */
export interface HeldReply {
  phone: string;
  threadId: string;
  account: AccountFixture;
  /** Number of the request to the model. */
  request: number;
}

const HELD_WITHIN_MS = 20_000;
const QUIET_WITHIN_MS = 30_000;

/** A process that serves callers and others that do the work: what one switches off is written by another. */
export class RaceScene extends ReplyScene {
  readonly workers: ServerProcess[] = [];

  constructor(environment: Record<string, string> = {}) {
    super({ servers: 0, stages: [{}, { aiEnabled: false }, {}], environment });
  }

  override async start(): Promise<void> {
    await super.start();
    await this.addServer({ ROLE: 'api', ...injected('send-permit') });
  }

  async addWorker(
    environment: Record<string, string> = {},
    databaseUrl = this.database.url,
  ): Promise<ServerProcess> {
    const worker = await this.addServer({ ROLE: 'worker', ...environment }, databaseUrl);
    // A worker gets no calls and no webhooks.
    this.servers.splice(this.servers.indexOf(worker), 1);
    this.workers.push(worker);
    return worker;
  }

  /** The newest worker that is left, or a new one; all others end. */
  async onlyWorker(environment: Record<string, string> = {}): Promise<ServerProcess> {
    const left = this.workers.pop();
    await endAll(this.workers.splice(0));
    if (!left) return this.addWorker(environment);
    this.workers.push(left);
    return left;
  }

  /** Has a worker stop as in production, and takes it off the list. @returns its exit code. */
  async stopWorker(worker: ServerProcess): Promise<number | null> {
    this.workers.splice(this.workers.indexOf(worker), 1);
    return worker.stop();
  }

  /** One with time between the gate's answer and the write: up to the given number of milliseconds. */
  addDelayedWorker(mostMs: number): Promise<ServerProcess> {
    return this.addWorker(injected('send-permit', { mostMs }));
  }

  /** As many customers as there are texts write in one webhook; waits until the model holds the replies to all. */
  async holdReplies(
    number: CloudNumber,
    account: AccountFixture,
    texts: readonly string[],
  ): Promise<HeldReply[]> {
    const customers = texts.map(() => newCustomer());
    const since = (await this.model.requests(undefined, this.lastRequest)).at(-1)?.n ?? this.lastRequest;
    this.lastRequest = since;
    await this.model.reply(
      ...texts.map((text, index) => ({ text, hold: 'end' as const, when: customers[index]?.phone })),
    );
    await this.post(
      cloudBody(customers.map((customer) => number.message(customer, `Мой номер ${customer.phone}`))),
    );
    const requests = await eventually(
      async () => {
        const held = (await this.model.requests(undefined, since)).filter((one) => one.held);
        const found = customers.map(({ phone }) =>
          held.find(({ body }) => JSON.stringify(body).includes(phone)),
        );
        return found.every((one) => one !== undefined) && found.map(({ n }) => n);
      },
      HELD_WITHIN_MS,
      'the model did not come to hold all replies',
    );
    const threads = await this.threadsOf(
      account,
      customers.map(({ phone }) => phone),
    );
    return customers.map(({ phone }, index) => ({
      phone,
      account,
      threadId: threads.get(`+${phone}`) ?? '',
      request: requests[index] ?? 0,
    }));
  }

  private lastRequest = 0;

  private async threadsOf(account: AccountFixture, phones: string[]): Promise<Map<string, string>> {
    const { rows } = await this.database.pool.query<{ id: string; contact: string }>(
      'SELECT id, contact FROM threads WHERE account_id = $1 AND contact = ANY ($2)',
      [account.id, phones.map((phone) => `+${phone}`)],
    );
    return new Map(rows.map(({ id, contact }) => [contact, id]));
  }

  /** Waits until no reply of an account is due or under way. */
  async untilSettled({ id }: AccountFixture): Promise<void> {
    const due = `SELECT 1 FROM replies WHERE account_id = $1 AND (state = 'due' OR lease_until > clock_timestamp()) LIMIT 1`;
    await eventually(
      async () => (await this.database.pool.query(due, [id])).rowCount === 0,
      QUIET_WITHIN_MS,
      'replies were left under way',
    );
  }

  /** Requests for a part of the reply that began when nothing might begin any more. */
  begunAfter({ phone }: HeldReply, silentFrom: number): number {
    return this.provider.sendsTo(`+${phone}`).filter(({ begunAt }) => begunAt > silentFrom).length;
  }

  /**
   * Makes the two statements that meet, the gate's and the switch's, take time between their read of the dialog and
   * their end. Without it a gate that locks nothing is found too rarely.
   */
  async slowStatements(mostMs: number): Promise<void> {
    await this.database.pool.query(`
      CREATE FUNCTION delay_statement() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(random() * ${mostMs} / 1000.0); RETURN NEW; END $$;
      CREATE TRIGGER delay_statement BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.role = 'AI') EXECUTE FUNCTION delay_statement();
      CREATE TRIGGER delay_statement BEFORE UPDATE ON threads FOR EACH ROW WHEN (OLD.ai_enabled AND NOT NEW.ai_enabled)
        EXECUTE FUNCTION delay_statement()`);
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
  }

  override async close(): Promise<void> {
    await endAll(this.workers);
    await super.close();
  }
}

/** Sets the scene for a test file; it is there from the first hook on. */
export function setRaceScene(environment?: Record<string, string>): RaceScene {
  const scene = new RaceScene(environment);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
