import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StageKind } from '@app/contracts/stage.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import { folderOwner, deriveKey, type DemoSecrets } from './data-folder';
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
interface DemoAddresses {
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

/** The model that answers customers, without the part of its address that may be secret. */
export function modelInWords(name: string, baseUrl: string, sandboxModelUrl: string): string {
  if (baseUrl === sandboxModelUrl) return `${name}, the sandbox's own`;
  const { origin, pathname } = new URL(baseUrl);
  return `${name}, at ${origin}${pathname}`;
}

const inWords = ({ email, password }: DemoFile['operator']): string => `${email}, password: ${password}`;

/** What the demo's customers do by themselves. */
const lifeInWords = (life: boolean): string =>
  life ? 'write now and then; DEMO_LIFE=0 npm start is quiet' : 'write when you do it for them';

/** A table of addresses, the model that answers, and one command that moves a card. */
export function demoBanner(demo: DemoFile, dataDir: string, model: string, life: boolean): string {
  const [key] = demo.api_keys;
  const [thread] = demo.threads;
  const agent = demo.assistants.find(({ id }) => id === thread?.assistant_id);
  const target = agent?.statuses.find(({ id, ai_enabled }) => ai_enabled && id !== thread?.status_id);
  const rows: [string, string][] = [
    ['Page of operators', demo.monitor_url],
    ['Sign in as operator', inWords(demo.operator)],
    ['Sign in as admin', inWords(demo.admin_user)],
    ['API', demo.base_url],
    ['Swagger UI', demo.docs_url],
    ["A customer's phone", `${demo.sandbox_url ?? ''}/handset`],
    ['Customers', lifeInWords(life)],
    ['Model', model],
    ['API key', key?.key ?? ''],
    ['Admin key', demo.admin_key],
    ['Database', demo.database_url],
    ['Everything else', `${dataDir}/demo.json`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const body = JSON.stringify({ thread_id: thread?.thread_id, status_id: target?.id });
  return [
    '',
    '  Leadline demo is ready',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    `  Move a lead to "${target?.name ?? ''}":`,
    '',
    `  curl -X POST ${demo.base_url}/api/v1/leads/set-status -H 'X-API-Key: ${key?.key ?? ''}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
    "  Ctrl-C stops it; what you did stays for the next start, but for the chats on customers' phones.",
    '',
  ].join('\n');
}
