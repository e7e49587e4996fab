import { cloudBody, type CloudNumber } from '../stand-ins/cloud.webhooks';
import { eventually } from '../eventually';
import type { AccountFixture } from '../database/fixture';
import { injected } from '../faults/injected.faults';
import { extend } from './base.scene';
import { sceneOf } from './scene.opening';
import { makeReplyScene, newCustomer } from './reply.scene';
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

export type RaceScene = ReturnType<typeof makeRaceScene>;

/** A process that serves callers and others that do the work: what one switches off is written by another. */
function makeRaceScene(environment: Record<string, string> = {}) {
  const workers: ServerProcess[] = [];
  let lastRequest = 0;

  const scene = extend(makeReplyScene({ servers: 0, stages: [{}, { aiEnabled: false }, {}], environment }), {
    workers,

    async addWorker(
      environment: Record<string, string> = {},
      databaseUrl: string = scene.database.url,
    ): Promise<ServerProcess> {
      const worker = await scene.addServer({ ROLE: 'worker', ...environment }, databaseUrl);
      // A worker gets no calls and no webhooks.
      scene.servers.splice(scene.servers.indexOf(worker), 1);
      workers.push(worker);
      return worker;
    },

    /** The newest worker that is left, or a new one; all others end. */
    async onlyWorker(environment: Record<string, string> = {}): Promise<ServerProcess> {
      const left = workers.pop();
      await endAll(workers.splice(0));
      if (!left) return scene.addWorker(environment);
      workers.push(left);
      return left;
    },

    /** Has a worker stop as in production, and takes it off the list. @returns its exit code. */
    async stopWorker(worker: ServerProcess): Promise<number | null> {
      workers.splice(workers.indexOf(worker), 1);
      return worker.stop();
    },

    /** One with time between the gate's answer and the write: up to the given number of milliseconds. */
    addDelayedWorker(mostMs: number): Promise<ServerProcess> {
      return scene.addWorker(injected('send-permit', { mostMs }));
    },

    /** As many customers as there are texts write in one webhook; waits until the model holds the replies to all. */
    async holdReplies(
      number: CloudNumber,
      account: AccountFixture,
      texts: readonly string[],
    ): Promise<HeldReply[]> {
      const customers = texts.map(() => newCustomer());
      const since = (await scene.model.requests(undefined, lastRequest)).at(-1)?.n ?? lastRequest;
      lastRequest = since;
      await scene.model.reply(
        ...texts.map((text, index) => ({ text, hold: 'end' as const, when: customers[index]?.phone })),
      );
      await scene.post(
        cloudBody(customers.map((customer) => number.message(customer, `Мой номер ${customer.phone}`))),
      );
      const requests = await eventually(
        async () => {
          const held = (await scene.model.requests(undefined, since)).filter((one) => one.held);
          const found = customers.map(({ phone }) =>
            held.find(({ body }) => JSON.stringify(body).includes(phone)),
          );
          return found.every((one) => one !== undefined) && found.map(({ n }) => n);
        },
        HELD_WITHIN_MS,
        'the model did not come to hold all replies',
      );
      const threads = await threadsOf(
        account,
        customers.map(({ phone }) => phone),
      );
      return customers.map(({ phone }, index) => ({
        phone,
        account,
        threadId: threads.get(`+${phone}`) ?? '',
        request: requests[index] ?? 0,
      }));
    },

    /** Waits until no reply of an account is due or under way. */
    async untilSettled({ id }: AccountFixture): Promise<void> {
      const due = `SELECT 1 FROM replies WHERE account_id = $1 AND (state = 'due' OR lease_until > clock_timestamp()) LIMIT 1`;
      await eventually(
        async () => (await scene.database.pool.query(due, [id])).rowCount === 0,
        QUIET_WITHIN_MS,
        'replies were left under way',
      );
    },

    /** Requests for a part of the reply that began when nothing might begin any more. */
    begunAfter({ phone }: HeldReply, silentFrom: number): number {
      return scene.provider.sendsTo(`+${phone}`).filter(({ begunAt }) => begunAt > silentFrom).length;
    },

    /**
     * Makes the two statements that meet, the gate's and the switch's, take time between their read of the dialog and
     * their end. Without it a gate that locks nothing is found too rarely.
     */
    async slowStatements(mostMs: number): Promise<void> {
      await scene.database.pool.query(`
        CREATE FUNCTION delay_statement() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(random() * ${mostMs} / 1000.0); RETURN NEW; END $$;
        CREATE TRIGGER delay_statement BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.role = 'AI') EXECUTE FUNCTION delay_statement();
        CREATE TRIGGER delay_statement BEFORE UPDATE ON threads FOR EACH ROW WHEN (OLD.ai_enabled AND NOT NEW.ai_enabled)
          EXECUTE FUNCTION delay_statement()`);
    },

    async stopWorkers(): Promise<void> {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
  });

  async function threadsOf(account: AccountFixture, phones: string[]): Promise<Map<string, string>> {
    const { rows } = await scene.database.pool.query<{ id: string; contact: string }>(
      'SELECT id, contact FROM threads WHERE account_id = $1 AND contact = ANY ($2)',
      [account.id, phones.map((phone) => `+${phone}`)],
    );
    return new Map(rows.map(({ id, contact }) => [contact, id]));
  }

  scene.whenStarted(() => scene.addServer({ ROLE: 'api', ...injected('send-permit') }));
  return scene;
}

export const { set: setRaceScene } = sceneOf(makeRaceScene);
