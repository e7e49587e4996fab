import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { formatThreadId } from '@app/contracts/uuid.format';
import type { StageKind } from '@app/contracts/stage.words';
import { folderOwner } from './data-folder';
import { deriveKey, type DemoSecrets } from './demo-secrets';
import { withClient } from './embedded-postgres/database-connection';
import { writeWhole } from './embedded-postgres/whole-file-writer';
import { DEMO_KEYS } from './seed/demo-keys';
import { ADMIN_USER, OPERATOR, signInOf } from './seed/demo-users';

/** What `demo.json` says about a running demo. Things that do not exist yet are null or empty. */
export interface DemoFile {
  base_url: string;
  docs_url: string;
  monitor_url: string;
  sandbox_url: string | null;
  database_url: string;
  operator: { email: string; password: string };
  admin_user: { email: string; password: string };
  admin_key: string;
  accounts: { id: string; name: string }[];
  api_keys: { key: string; account_id: string; assistant_ids: string[]; bot_ids: string[] }[];
  bots: {
    id: string;
    account_id: string;
    assistant_id: string;
    channels: { channel: string; sender: string; webhook_url: string | null }[];
  }[];
  templates: {
    template_id: string;
    bot_id: string;
    channel: string;
    language: string;
    params_count: number;
    status: string;
  }[];
  assistants: {
    id: string;
    account_id: string;
    statuses: {
      id: string;
      name: string;
      kind: StageKind;
      order: number;
      ai_enabled: boolean;
      ai_transition_locked: boolean;
    }[];
  }[];
  threads: {
    thread_id: string;
    account_id: string;
    assistant_id: string;
    bot_id: string;
    channel: string;
    phone: string | null;
    status_id: string | null;
  }[];
  scenarios: { id: string; status_id: string }[];
}

const fileOf = (dataDir: string): string => join(dataDir, 'demo.json');

/** Removes the file of an earlier run, so that a waiting program does not read it. */
export function removeDemoFile(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** Writes the file so that only this user can read it. When root starts the demo, only the folder's owner can. */
export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  writeWhole(fileOf(dataDir), `${JSON.stringify(demo, null, 2)}\n`, folderOwner(dataDir));
}

/** The addresses of everything in a running demo. */
export interface DemoAddresses {
  baseUrl: string;
  databaseUrl: string;
  sandboxUrl: string;
  webhooks: { cloud: string; gupshup: (botId: string) => string };
}

/** Reads the demo from the database as it is now. */
export async function describeDemo(
  { baseUrl, databaseUrl, sandboxUrl, webhooks }: DemoAddresses,
  secrets: DemoSecrets,
): Promise<DemoFile> {
  return withClient(databaseUrl, 'leadline demo file', async (db) => {
    const rows = async <T extends object>(text: string): Promise<T[]> => (await db.query<T>(text)).rows;
    const threads = await rows<Omit<DemoFile['threads'][number], 'thread_id'> & { id: string }>(
      `SELECT id, account_id, assistant_id, bot_id, channel, phone, status_id FROM threads ORDER BY id`,
    );
    const bots = await rows<DemoFile['bots'][number]>(
      `SELECT b.id, b.account_id, b.assistant_id,
              jsonb_agg(jsonb_build_object('channel', c.channel, 'sender', c.sender) ORDER BY c.channel DESC) AS channels
         FROM bots b JOIN bot_channels c ON c.account_id = b.account_id AND c.bot_id = b.id
        GROUP BY b.account_id, b.id ORDER BY b.id`,
    );
    for (const { id, channels } of bots) {
      for (const each of channels) {
        each.webhook_url = each.channel === 'waba' ? webhooks.gupshup(id) : webhooks.cloud;
      }
    }
    const accountKeys = DEMO_KEYS.filter((key) => key.accountId !== null);
    const admin = DEMO_KEYS.find((key) => key.accountId === null);
    return {
      base_url: baseUrl,
      docs_url: `${baseUrl}/docs`,
      monitor_url: `${baseUrl}/`,
      sandbox_url: sandboxUrl,
      database_url: databaseUrl,
      operator: signInOf(OPERATOR, secrets),
      admin_user: signInOf(ADMIN_USER, secrets),
      admin_key: deriveKey(secrets, admin?.name ?? ''),
      accounts: await rows('SELECT id, name FROM accounts ORDER BY id'),
      api_keys: accountKeys.map(({ name, accountId, assistantIds, botIds }) => ({
        key: deriveKey(secrets, name),
        account_id: accountId ?? '',
        assistant_ids: assistantIds,
        bot_ids: botIds,
      })),
      bots,
      templates: await rows(
        `SELECT template_id, bot_id, channel, language, params_count, status FROM templates ORDER BY id`,
      ),
      assistants: await rows(
        `SELECT a.id, a.account_id,
                jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'order', s."order",
                  'ai_enabled', s.ai_enabled, 'ai_transition_locked', s.ai_transition_locked) ORDER BY s."order") AS statuses
           FROM assistants a JOIN statuses s ON s.account_id = a.account_id AND s.assistant_id = a.id
          WHERE s.archived_at IS NULL GROUP BY a.account_id, a.id ORDER BY a.id`,
      ),
      threads: threads.map(({ id, ...thread }) => ({ thread_id: formatThreadId(id), ...thread })),
      scenarios: await rows('SELECT id, status_id FROM scenarios WHERE archived_at IS NULL ORDER BY id'),
    };
  });
}
