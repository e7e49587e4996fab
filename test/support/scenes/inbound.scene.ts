import { randomInt } from 'node:crypto';
import type { AccountFixture } from '../database/fixture';
import { CloudNumber, cloudBody, postCloud, type Change } from '../stand-ins/cloud.webhooks';
import { businessOf } from '../stand-ins/provider.numbers';
import { holdBack, letGo, untilTaken } from '../faults/held.webhooks';
import { extend, makeScene, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { ascendingId } from '../database/ascending.id';

export interface KeptDialog {
  id: string;
  contact: string;
  phone: string | null;
  user_id: string | null;
  wa_id: string | null;
  customer_name: string | null;
  version: number;
  ai_enabled: boolean;
  takeover_seconds: number | null;
  ai_epoch: number;
  opted_out: boolean;
  /** The message that waits, and since when. */
  waiting_message_id: string | null;
  waiting_at: Date | null;
  last_message_role: string | null;
  last_message_text: string | null;
  unread_count: number;
}

export interface KeptMessage {
  id: string;
  thread_id: string;
  role: string;
  type: string;
  text: string;
  status: string;
  provider_id: string | null;
  sent_at: Date | null;
  created_at: Date;
  accepted_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  error_code: string | null;
  provider_code: number | null;
}

/**
 * A scene with a number of the account at Meta, by which webhooks come in.
 * @param connect has messages go out by a number, too
 */
export function makeInboundScene(options?: SceneOptions, connect = withoutToken) {
  let number: CloudNumber;
  let posted = 0;

  const scene = extend(makeScene(options), {
    get number(): CloudNumber {
      return number;
    },

    async addNumber(
      account: AccountFixture = scene.account,
      botId: string = account.botId,
    ): Promise<CloudNumber> {
      return new CloudNumber(await connect(account, botId));
    },

    /** Posts one webhook, to the processes by turns, and waits until it is handled. */
    async tell(...changes: Change[]): Promise<void> {
      await scene.tellRaw(cloudBody(changes));
    },

    async tellRaw(body: string): Promise<void> {
      await scene.post(body);
      await scene.taken();
    },

    async post(body: string): Promise<void> {
      const server = scene.servers[(posted += 1) % scene.servers.length] ?? scene.server;
      const { status, text } = await postCloud(server, body);
      if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
    },

    /** Waits until nothing that came in is left to be taken apart. */
    async taken(): Promise<void> {
      await untilTaken(scene.database.pool);
    },

    /** A webhook that has come but is not handled before {@link letGo}: as one that an outage keeps back. */
    async holdBack(...changes: Change[]): Promise<void> {
      await holdBack(scene.database.pool, changes);
    },

    /** Has everything taken apart that was held back. */
    async letGo(given?: { notifies?: boolean }): Promise<void> {
      await letGo(scene.database.pool, given);
    },

    async dialogs(): Promise<KeptDialog[]> {
      return rowsOf<KeptDialog>(
        `SELECT id, contact, phone, user_id, wa_id, customer_name, version::float8 AS version, ai_enabled,
                extract(epoch FROM nullif(takeover_until, 'infinity') - clock_timestamp())::float8 AS takeover_seconds,
                ai_epoch::float8 AS ai_epoch, opted_out, CASE WHEN answer_count = 0 THEN waiting_message_id END AS waiting_message_id,
                CASE WHEN answer_count = 0 THEN waiting_at END AS waiting_at, last_message_role,
                last_message_text, unread_count
           FROM threads ORDER BY created_at, id`,
      );
    },

    /** One copy for each state of the original. Two processes that copy at once end up with the same one. */
    async dialog(contact: string): Promise<KeptDialog> {
      const found = (await scene.dialogs()).filter((dialog) => dialog.contact === contact);
      const [dialog] = found;
      if (!dialog || found.length > 1) throw new Error(`${found.length} dialogs of ${contact}`);
      return dialog;
    },

    /** In the order in which the dialog shows them. */
    async messages(threadId: string): Promise<KeptMessage[]> {
      return rowsOf<KeptMessage>(
        `SELECT id, thread_id, role, type, text, status, provider_id, sent_at, created_at, accepted_at, delivered_at,
                read_at, failed_at, error_code, provider_code
           FROM messages WHERE thread_id = $1 ORDER BY created_at, id`,
        [threadId],
      );
    },

    async message(id: string): Promise<KeptMessage> {
      const [found] = await rowsOf<KeptMessage>(
        `SELECT id, thread_id, role, type, text, status, provider_id, sent_at, created_at, accepted_at, delivered_at,
                read_at, failed_at, error_code, provider_code FROM messages WHERE id = $1`,
        [id],
      );
      if (!found) throw new Error(`no message ${id}`);
      return found;
    },

    /** The log of a dialog, as `version type`, in the order of the numbers. */
    async log(threadId: string): Promise<string[]> {
      const rows = await rowsOf<{ entry: string }>(
        `SELECT version || ' ' || type AS entry FROM events WHERE thread_id = $1 ORDER BY seq`,
        [threadId],
      );
      return rows.map(({ entry }) => entry);
    },

    async rejects(): Promise<{ path: string; reason: string; account_id: string | null; item: string }[]> {
      return rowsOf(
        `SELECT path, reason, account_id, convert_from(item, 'UTF8') AS item FROM webhook_rejects ORDER BY id`,
      );
    },

    /** A message of ours as the sending part keeps it, which leaves it alone for an hour. */
    async addOutgoing(
      threadId: string,
      {
        status = 'unknown',
        providerId = null,
        channel = 'waba_coexistence',
      }: { status?: string; providerId?: string | null; channel?: string } = {},
    ): Promise<string> {
      const id = ascendingId();
      await scene.database.pool.query(
        `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, status, provider_id, created_at,
                               due_at, claim_token, claim_until)
         SELECT $1, $2, $3, $4, $7, 'SYSTEM', 'ours', $5, $6, clock_timestamp() - interval '1 hour',
                CASE WHEN $5 = 'queued' THEN clock_timestamp() + interval '1 hour' END,
                CASE WHEN $5 = 'sending' THEN $2::uuid END,
                CASE WHEN $5 = 'sending' THEN clock_timestamp() + interval '1 hour' END`,
        [scene.account.id, id, threadId, scene.account.botId, status, providerId, channel],
      );
      return id;
    },
  });

  const rowsOf = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await scene.database.pool.query<Row>(text, values)).rows;

  scene.whenStarted(async () => {
    number = await scene.addNumber();
  });
  return scene;
}

async function withoutToken(account: AccountFixture, botId: string): Promise<string> {
  const sender = String(randomInt(1e14, 2e14));
  await account.db.query(
    `INSERT INTO bot_channels (account_id, bot_id, channel, sender, settings) VALUES ($1, $2, 'waba_coexistence', $3, $4)`,
    [account.id, botId, sender, { waba_id: businessOf(sender) }],
  );
  return sender;
}

/** Has messages go out by the number. @returns it */
export const withToken = (account: AccountFixture, botId: string): Promise<string> =>
  account.connect('waba_coexistence', { botId });

export const { set: setInboundScene } = sceneOf(makeInboundScene);

let lastPhone = 77010000000;

/** Digits of a customer whom no other test writes as. */
export const somePhone = (): string => String((lastPhone += 1));

/** Violations in a log whose entries must lead from one version to the next, without a gap. */
export const violationsOfVersions = (log: readonly string[]): string[] =>
  log.filter((entry, index) => !entry.startsWith(`${index + 1} `));
