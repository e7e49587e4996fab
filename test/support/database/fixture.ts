import { createHash, randomBytes } from 'node:crypto';
import { contactOf } from '@app/contracts/values/phone.words';
import type { MessageError, MessageRole, MessageStatus, Channel } from '@app/contracts/message.words';
import { SCENARIO_LIMITS, type StoredStep } from '@app/contracts/scenario.words';
import { type StageKind, foldStatusName } from '@app/contracts/stage.words';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import type { Pool } from 'pg';
import { SECRETS } from '../programs/server.process';
import { businessOf } from '../stand-ins/provider.numbers';
import { uuidOf } from './thread.uuid';
import { ascendingId } from './ascending.id';

/** Limits that no test reaches by accident; what tests of the limits use is the default. */
const UNLIMITED = 200_000;

/** Of the numbers that tests send by. */
export const CREDENTIAL = 'EAAG-test-token-of-no-worth';

export interface GivenStage {
  name?: string;
  kind?: StageKind;
  aiEnabled?: boolean;
  locked?: boolean;
}

export interface GivenThread {
  statusId?: string | null;
  aiEnabled?: boolean;
  optedOut?: boolean;
  /** Minutes ago that the customer wrote what still waits. */
  waitingMinutes?: number;
  /** Seconds that a takeover still runs; negative: it ran out so long ago. */
  takeoverSeconds?: number;
  channel?: string;
  phone?: string | null;
}

export interface GivenMessage {
  role?: MessageRole;
  status?: MessageStatus;
  text?: string;
  type?: string;
  /** The provider's identifier. */
  messageId?: string | null;
  /** When it arrived, to the microsecond; default: now. */
  at?: string;
  /** A customer's own time; of ours when the provider took it. */
  sentAt?: string | null;
  error?: MessageError;
}

interface GivenUser {
  name?: string;
  role?: 'operator' | 'admin';
  /** Null: all agents of the account. */
  assistantIds?: readonly string[] | null;
  disabled?: boolean;
}

export interface GivenKey {
  scopes?: string[];
  assistantIds?: string[];
  botIds?: string[];
  limitLeads?: number | null;
  limitGeneral?: number | null;
  expiresAt?: Date;
  revokedAt?: Date;
}

/** An account with an agent, its funnel, a bot and a key; more of each on request. Written as rows: what comes in is not built yet. */
export class AccountFixture {
  readonly id: string = ascendingId();
  readonly assistantId: string = ascendingId();
  readonly botId: string = ascendingId();
  /** Stage ids of the first agent's funnel, in order. */
  stages: string[] = [];
  key = '';

  private constructor(readonly db: Pool) {}

  static async create(
    db: Pool,
    stages: GivenStage[] = [{}, {}, {}],
    key: GivenKey = {},
  ): Promise<AccountFixture> {
    const account = new AccountFixture(db);
    await db.query('INSERT INTO accounts (id, name) VALUES ($1, $2)', [account.id, `account ${account.id}`]);
    await account.addAssistant(account.assistantId);
    await account.addBot(account.botId, account.assistantId);
    account.stages = await account.addStages(account.assistantId, stages);
    account.key = await account.addKey(key);
    return account;
  }

  async addAssistant(id: string = ascendingId()): Promise<string> {
    await this.db.query('INSERT INTO assistants (account_id, id, name) VALUES ($1, $2, $3)', [
      this.id,
      id,
      'agent',
    ]);
    return id;
  }

  async addBot(id: string = ascendingId(), assistantId = this.assistantId): Promise<string> {
    const values = [this.id, id, assistantId, 'bot'];
    await this.db.query(
      'INSERT INTO bots (account_id, id, assistant_id, name) VALUES ($1, $2, $3, $4)',
      values,
    );
    return id;
  }

  /** Connects a number to a bot, by default one that may send as fast as it can. */
  async connect(
    channel: Channel = 'waba_coexistence',
    { botId = this.botId, sender = String(Math.floor(1e14 + Math.random() * 9e14)), perSecond = 10_000 } = {},
  ): Promise<string> {
    const cipher = new AesChannelCipher(SECRETS.ENCRYPTION_KEY);
    const { keyId, sealed } = cipher.seal(CREDENTIAL, `${this.id}/${botId}/${channel}`);
    const settings = { waba_id: businessOf(sender), app_id: ascendingId(), app_name: 'TestApp' };
    await this.db.query(
      `INSERT INTO bot_channels (account_id, bot_id, channel, sender, phone, settings, credential_key_id, credential, messages_per_second)
       VALUES ($1, $2, $3, $4, '+77015550100', $5, $6, $7, $8)`,
      [this.id, botId, channel, sender, settings, keyId, sealed, perSecond],
    );
    return sender;
  }

  /** A list that was sent, without its messages. */
  async addBatch(botId = this.botId): Promise<string> {
    const id = ascendingId();
    await this.db.query(
      `INSERT INTO batches (account_id, id, bot_id, channel, total) VALUES ($1, $2, $3, 'waba_coexistence', 1)`,
      [this.id, id, botId],
    );
    return id;
  }

  /** An import that is done. */
  async addImport(botId = this.botId, assistantId = this.assistantId): Promise<string> {
    const id = ascendingId();
    await this.db.query(
      `INSERT INTO imports (account_id, id, assistant_id, bot_id, channel, dry_run, start_scenarios, set_by, actor, state,
         finished_at) VALUES ($1, $2, $3, $4, 'waba_coexistence', false, false, 'SYSTEM', '{}', 'done', clock_timestamp())`,
      [this.id, id, assistantId, botId],
    );
    return id;
  }

  async setQuota(recipients: number | null): Promise<void> {
    await this.db.query('UPDATE accounts SET monthly_message_quota = $2 WHERE id = $1', [
      this.id,
      recipients,
    ]);
  }

  async quotaUsed(): Promise<number> {
    const { rows } = await this.db.query<{ used: number }>(
      'SELECT coalesce(sum(used), 0)::int AS used FROM quota_usage WHERE account_id = $1',
      [this.id],
    );
    return rows[0]?.used ?? 0;
  }

  async addStages(assistantId: string, stages: GivenStage[]): Promise<string[]> {
    const ids: string[] = [];
    for (const [
      index,
      { name = `Stage ${index + 1}`, kind = 'active', aiEnabled = true, locked = false },
    ] of stages.entries()) {
      const id = ascendingId();
      await this.db.query(
        `INSERT INTO statuses (account_id, id, assistant_id, name, name_folded, kind, "order", ai_enabled, ai_transition_locked)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [this.id, id, assistantId, name, foldStatusName(name), kind, index + 1, aiEnabled, locked],
      );
      ids.push(id);
    }
    return ids;
  }

  /** A scenario of a stage that is on, or off; default: with a step that waits for 90 days wherever the lead goes. */
  async addScenario(
    statusId: string,
    isOn = true,
    steps: readonly StoredStep[] = [{ kind: 'wait', seconds: SCENARIO_LIMITS.waitSecondsMax }],
  ): Promise<string> {
    const id = ascendingId();
    await this.db.query(
      `WITH made AS (
         INSERT INTO scenarios (account_id, id, assistant_id, status_id, name, state, on_leave)
         SELECT account_id, $2, assistant_id, id, 'scenario', $4, 'continue' FROM statuses
          WHERE account_id = $1 AND id = $3),
       known AS (UPDATE statuses SET starts_runs = true WHERE account_id = $1 AND id = $3 AND $4 = 'on')
       INSERT INTO scenario_revisions (account_id, scenario_id, revision, steps) VALUES ($1, $2, 1, $5)`,
      [this.id, id, statusId, isOn ? 'on' : 'off', JSON.stringify(steps)],
    );
    return id;
  }

  /** A key; default: with the account's agent and bot. */
  async addKey(given: GivenKey = {}): Promise<string> {
    const key = `ll_${randomBytes(32).toString('base64url')}`;
    await insertKey(this.db, key, this.id, {
      scopes: ['messages', 'leads'],
      assistantIds: [this.assistantId],
      botIds: [this.botId],
      ...given,
    });
    return key;
  }

  /** A person of the account, without a password. */
  async addUser(given: GivenUser = {}): Promise<string> {
    const { name = 'Aigerim', role = 'operator', assistantIds = null, disabled = false } = given;
    const id = ascendingId();
    await this.db.query(
      `INSERT INTO users (account_id, id, email, email_key, name, role, assistant_ids, locale, disabled_at)
       VALUES ($1, $2, $3, $3, $4, $5, $6, 'ru', CASE WHEN $7 THEN clock_timestamp() END)`,
      [this.id, id, `${id}@example.com`, name, role, assistantIds, disabled],
    );
    return id;
  }

  /** A dialog of an agent; its identifier as the outside knows it. */
  async addThread(
    given: GivenThread = {},
    assistantId = this.assistantId,
    botId = this.botId,
  ): Promise<string> {
    const id = ascendingId();
    const {
      statusId = null,
      optedOut = false,
      aiEnabled = !optedOut,
      waitingMinutes,
      takeoverSeconds,
    } = given;
    const {
      channel = 'waba_coexistence',
      phone = `+7701${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`,
    } = given;
    await this.db.query(
      `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, status_id, status_set_at,
         status_set_by, ai_enabled, opted_out, waiting_message_id, waiting_at, takeover_until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::uuid, CASE WHEN $8::uuid IS NULL THEN NULL ELSE clock_timestamp() END,
         CASE WHEN $8::uuid IS NULL THEN NULL ELSE 'AI' END, $9, $10, $11,
         CASE WHEN $11::uuid IS NULL THEN NULL ELSE clock_timestamp() - make_interval(secs => $12::float8 * 60) END,
         clock_timestamp() + make_interval(secs => $13::float8))`,
      [
        this.id,
        id,
        assistantId,
        botId,
        channel,
        typeof given.phone === 'string' ? contactOf(given.phone) : id,
        phone,
        statusId,
        aiEnabled,
        optedOut,
        waitingMinutes === undefined ? null : ascendingId(),
        waitingMinutes ?? null,
        takeoverSeconds ?? null,
      ],
    );
    return `thread_${id}`;
  }

  /** A message that nothing else of its dialog knows of: neither the dialog's row nor the event log. */
  async addMessage(threadId: string, given: GivenMessage = {}): Promise<string> {
    const id = ascendingId();
    const { role = 'USER', text = 'text', type = 'text', messageId = null, at = null, error } = given;
    const { status = role === 'USER' ? 'received' : 'sent', sentAt = null } = given;
    await this.db.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, type, provider_id,
         error_code, error_message, provider_code, due_at, claim_token, claim_until, sent_at, accepted_at, created_at)
       SELECT $1, $2, id, bot_id, channel, $4, $4 = 'USER', $5, $6, $7, $8, $9, $10, $11,
              CASE $5 WHEN 'queued' THEN clock_timestamp() END,
              CASE $5 WHEN 'sending' THEN gen_random_uuid() END, CASE $5 WHEN 'sending' THEN clock_timestamp() END,
              CASE $4 WHEN 'USER' THEN $12::timestamptz END, CASE WHEN $4 <> 'USER' THEN $12::timestamptz END,
              coalesce($13::timestamptz, clock_timestamp())
         FROM threads WHERE account_id = $1 AND id = $3`,
      [
        this.id,
        id,
        uuidOf(threadId),
        role,
        status,
        text,
        type,
        messageId,
        error?.code ?? null,
        error?.message ?? null,
        error?.provider_code ?? null,
        sentAt,
        at,
      ],
    );
    return id;
  }

  /** Entries of a dialog in the event log that nothing else of it knows of. */
  async addEvents(threadId: string, count: number): Promise<void> {
    await this.db.query(
      `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       SELECT $1, $2, $3, n, 'status', clock_timestamp(), '{}' FROM generate_series(1, $4::int) n`,
      [this.id, uuidOf(threadId), this.assistantId, count],
    );
  }
}

/** A key of the whole installation. */
export async function addAdminKey(db: Pool, given: GivenKey = {}): Promise<string> {
  const key = `ll_${randomBytes(32).toString('base64url')}`;
  await insertKey(db, key, null, { scopes: ['admin'], assistantIds: [], botIds: [], ...given });
  return key;
}

async function insertKey(db: Pool, key: string, accountId: string | null, given: GivenKey): Promise<void> {
  const {
    scopes,
    assistantIds,
    botIds,
    limitLeads = UNLIMITED,
    limitGeneral = UNLIMITED,
    expiresAt,
    revokedAt,
  } = given;
  await db.query(
    `INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, assistant_ids, bot_ids, limit_leads,
       limit_general, expires_at, revoked_at) VALUES ($1, $2, 'key', $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ascendingId(),
      accountId,
      key.slice(0, 10),
      createHash('sha256').update(key).digest(),
      scopes,
      assistantIds,
      botIds,
      limitLeads,
      limitGeneral,
      expiresAt ?? null,
      revokedAt ?? null,
    ],
  );
}
