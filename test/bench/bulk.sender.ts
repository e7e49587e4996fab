import type { Pool } from 'pg';
import { AccountFixture } from '../support/database/fixture';
import type { ServerProcess } from '../support/programs/server.process';
import { expectAnswer } from './answer.expectation';
import { HttpConnection } from './http.connection';
import { newPhone, PARAMS, TEMPLATE } from './bulk.order';

export const LIST_LENGTH = 1_000;
/** Enough that the next list is stored before the last one is through. */
const CALLERS = 3;

/** Sends lists by send-template, as an integrator with many recipients does. */
export class BulkSender {
  private going = false;
  private calling: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly server: ServerProcess,
    private readonly account: AccountFixture,
  ) {}

  static async connect(server: ServerProcess, db: Pool): Promise<BulkSender> {
    const account = await AccountFixture.create(db);
    await account.connect();
    return new BulkSender(server, account);
  }

  /** Several callers, each with its next list as soon as its last one is settled, until they are stopped. */
  start(): void {
    this.going = true;
    const call = async (): Promise<void> => {
      const connection = await HttpConnection.open(this.server.url);
      while (this.going) await this.sendList(connection);
      connection.close();
    };
    this.calling = Promise.all(Array.from({ length: CALLERS }, call));
    // Heard of by stop().
    this.calling.catch(() => undefined);
  }

  /** Resolves when the last lists are settled. @throws what a call failed with. */
  async stop(): Promise<void> {
    this.going = false;
    await this.calling;
  }

  /** Sends one list. @throws where it was not answered as sent to all. */
  async sendList(connection: HttpConnection): Promise<void> {
    const body = JSON.stringify({
      bot_id: this.account.botId,
      channel: 'waba_coexistence',
      template_id: TEMPLATE,
      to: Array.from({ length: LIST_LENGTH }, () => ({ phone: newPhone(), params: PARAMS })),
    });
    const reply = await connection.post('/api/v1/messages/send-template', this.account.key, body);
    expectAnswer('a list', reply, [`"sent":${LIST_LENGTH}`]);
  }

  /** How many messages of the account are stored as sent. */
  async stored(): Promise<number> {
    const { rows } = await this.account.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM messages WHERE account_id = $1 AND status = 'sent'`,
      [this.account.id],
    );
    return rows[0]?.n ?? 0;
  }
}
