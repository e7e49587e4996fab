import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { ApiClient, type Answer } from '../clients/api.client';
import { BoardClient } from '../clients/board.client';
import { BoardModel } from '../clients/board.model';
import type { AccountFixture } from '../database/fixture';
import { eventually } from '../eventually';
import type { ScriptedProvider } from '../stand-ins/scripted.provider';
import { cloudBody, CloudNumber, postCloud } from '../stand-ins/cloud.webhooks';
import { newPhone, newPhones } from './send.scene';

/** Of webhooks, a pace at which they come one by one. */
const TELL_EVERY_MS = 80;
/** A pace that leaves a processor for the processes that start. */
const CALL_EVERY_MS = 15;
const SEND_EVERY_MS = 60;
const LEADS = 20;
const LISTED = 60;
const CHANNEL = 'waba_coexistence';

/** A board that is opened again where it left off, as the page does it. */
class KeptBoard {
  readonly model = new BoardModel();
  private client: BoardClient | null = null;
  private isOver = false;

  async keep(url: string, key: string, assistantId: string): Promise<void> {
    while (!this.isOver) {
      const client = await BoardClient.connect(url, { api_key: key });
      this.client = client;
      await client.show(this.model, assistantId);
      await eventually(async () => client.disconnectedBecause ?? this.isOver, 900_000, 'it stays');
    }
  }

  end(): void {
    this.isOver = true;
    this.client?.close();
  }
}

/** Moves, sends to one and to a list, webhooks and boards, over what processes are restarted or replaced: all of it must succeed. */
export class RestartLoad {
  readonly failed: { path: string; status: number; text: string }[] = [];
  moved = 0;
  private told = 0;
  private isOver = false;
  private readonly boards = [new KeptBoard(), new KeptBoard()];
  private readonly phones: string[] = [];
  private readonly batches: string[] = [];
  private readonly work: Promise<unknown>[];

  private constructor(
    private readonly url: string,
    private readonly account: AccountFixture,
    threads: readonly string[],
    /** Its agent has the dialogs that are opened by sending: the boards show the others. */
    private readonly sender: { key: string; botId: string; number: CloudNumber },
  ) {
    const { key, assistantId } = account;
    this.work = [
      ...Array.from({ length: 3 }, () => this.move(threads)),
      this.send(),
      this.tell(),
      ...this.boards.map((board) => board.keep(url, key, assistantId)),
    ];
  }

  static async start(url: string, account: AccountFixture): Promise<RestartLoad> {
    const threads: string[] = [];
    for (let n = 0; n < LEADS; n++) threads.push(await account.addThread());
    const assistantId = await account.addAssistant();
    const botId = await account.addBot(undefined, assistantId);
    const number = new CloudNumber(await account.connect(CHANNEL, { botId }));
    const key = await account.addKey({ assistantIds: [assistantId], botIds: [botId] });
    return new RestartLoad(url, account, threads, { key, botId, number });
  }

  /** A list, whose call waits for its messages. */
  sendList(): void {
    const phones = newPhones(LISTED);
    this.phones.push(...phones);
    const list = this.order(phones.map((phone) => ({ phone }))).then((answer) => {
      if (answer?.status === 200) this.batches.push(answer.body.data.batch_id as string);
    });
    this.work.push(list);
  }

  async untilMoved(more: number): Promise<void> {
    const before = this.moved;
    await eventually(async () => this.moved >= before + more, 60_000, 'the load is too small');
  }

  /** Ends it, and expects that nothing failed, nothing was lost, and the boards equal the database. */
  async expectWhole(db: Pool, provider: ScriptedProvider): Promise<void> {
    this.isOver = true;
    const boards = this.work.splice(5, this.boards.length);
    await Promise.all(this.work);
    expect(this.failed).toEqual([]);
    for (const id of this.batches) await this.expectSent(id);
    expect(this.phones.filter((phone) => provider.sendsTo(phone).length !== 1)).toEqual([]);
    const { rows } = await db.query<{ moves: number }>(
      `SELECT count(*)::int AS moves FROM events WHERE account_id = $1 AND type = 'status'`,
      [this.account.id],
    );
    expect(rows[0]?.moves).toBe(this.moved);
    const inbound = `SELECT 1 FROM messages WHERE account_id = $1 AND bot_id = $2 AND inbound`;
    await eventually(
      async () => (await db.query(inbound, [this.account.id, this.sender.botId])).rows.length === this.told,
      30_000,
      'not every webhook is one message',
    );
    for (const { model } of this.boards) await model.untilEqual(db, this.account.assistantId);
    for (const board of this.boards) board.end();
    await Promise.all(boards);
  }

  private async expectSent(batchId: string): Promise<void> {
    const api = new ApiClient(this.url, this.sender.key);
    const settled = await eventually(
      async () => {
        const { body } = await api.getBatch(batchId);
        return body.data.queued === 0 ? (body.data as { sent: number }) : null;
      },
      60_000,
      'a list was not sent',
    );
    expect(settled.sent).toBe(LISTED);
  }

  private async move(threads: readonly string[]): Promise<void> {
    const api = new ApiClient(this.url, this.account.key);
    const stages = [...this.account.stages, null];
    while (!this.isOver) {
      const move = { thread_id: threads[randomInt(LEADS)], status_id: stages[randomInt(stages.length)] };
      const answer = await this.kept('set-status', () => api.setStatus(move));
      if (answer?.body.data.changed === true) this.moved += 1;
      await sleep(CALL_EVERY_MS);
    }
  }

  private async send(): Promise<void> {
    while (!this.isOver) {
      const phone = newPhone();
      this.phones.push(phone);
      await this.order({ phone });
      await sleep(SEND_EVERY_MS);
    }
  }

  private async tell(): Promise<void> {
    while (!this.isOver) {
      const message = this.sender.number.message({ phone: newPhone().slice(1) }, 'привет');
      const answer = await this.kept('webhooks', () => postCloud({ url: this.url }, cloudBody([message])));
      if (answer) this.told += 1;
      await sleep(TELL_EVERY_MS);
    }
  }

  private order(to: object): Promise<Answer | null> {
    const api = new ApiClient(this.url, this.sender.key);
    const order = { bot_id: this.sender.botId, channel: CHANNEL, template_id: 'order_ready', to };
    return this.kept('send-template', () => api.sendTemplate(order));
  }

  /** @returns null where it failed, which is noted */
  private async kept(path: string, call: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await call();
      if (answer.status === 200) return answer;
      this.failed.push({ path, status: answer.status, text: answer.text });
    } catch (error) {
      this.failed.push({ path, status: 0, text: String((error as Error).cause ?? error) });
    }
    return null;
  }
}
