import { randomUUIDv7 } from 'node:crypto';
import type { AccountFixture } from './fixture';

/** One of each thing, of one agent of an account. */
export interface Things {
  account: string;
  assistant: string;
  key: string;
  tool: string;
  stage: string;
  bot: string;
  template: string;
  scenario: string;
  run: string;
}

export async function thingsOf(account: AccountFixture, assistant: string): Promise<Things> {
  const bot = assistant === account.assistantId ? account.botId : await account.addBot(undefined, assistant);
  const [stage = ''] = await account.addStages(assistant, [{}]);
  const { db: pool } = account;
  const connected = await pool.query('SELECT 1 FROM bot_channels WHERE account_id = $1 AND bot_id = $2', [
    account.id,
    bot,
  ]);
  if (connected.rowCount === 0) await account.connect('waba_coexistence', { botId: bot });
  const [key, tool, template, run] = Array.from({ length: 4 }, () => randomUUIDv7());
  await pool.query(
    `INSERT INTO api_keys (account_id, id, name, prefix, key_hash, scopes) VALUES ($1, $2, 'key', 'll_', sha256($3), '{leads}')`,
    [account.id, key, Buffer.from(String(key))],
  );
  await pool.query(
    `INSERT INTO assistant_tools (account_id, assistant_id, id, name, description, method, url, parameters, auto_fill, header_names, timeout_ms, enabled)
     VALUES ($1, $2, $3, 'tool_' || right($3::uuid::text, 12), 'd', 'GET', 'https://example.com/', '{}', '{}', '{}', 5000, true)`,
    [account.id, assistant, tool],
  );
  await pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, body, params_count)
     VALUES ($1, $2, $3, 'waba_coexistence', 'hello_' || right($2::uuid::text, 12), 'hello_' || right($2::uuid::text, 12), 'ru', 'utility', 'draft', 'Hello', 0)`,
    [account.id, template, bot],
  );
  const scenario = await account.addScenario(stage);
  await pool.query(
    `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause, due_since, started_at, finished_at)
     VALUES ($1, $2, $3, gen_random_uuid(), $4, now(), 1, 'done', '{}', now(), now(), now())`,
    [account.id, run, scenario, stage],
  );
  const ids = { key, tool, template, scenario, run } as Record<string, string>;
  return { account: account.id, assistant, stage, bot, ...(ids as Pick<Things, 'key'>) } as Things;
}
