import type { Page } from 'playwright-core';
import { eventually } from '../eventually';
import type { ScriptedProvider } from '../stand-ins/scripted.provider';
import { extend } from './base.scene';
import { sceneOf } from './scene.opening';
import { makeMonitorScene } from './monitor.scene';
import { providerOf } from './send.scene';

const ALL_SENT_MS = 60_000;

let last = 77_020_000_000;

interface GivenTemplate {
  id: string;
  body: string;
  header: object | null;
  footer: string | null;
  buttons: object[];
  examples: { body?: string[] };
}

const TEMPLATES: GivenTemplate[] = [
  { id: 'order_ready', body: 'Your order is ready.', header: null, footer: null, buttons: [], examples: {} },
  {
    id: 'visit_reminder',
    body: 'Здравствуйте, {{1}}! Ждём вас в *{{2}}*.',
    header: { format: 'text', text: 'Запись' },
    footer: 'Harbour Coffee',
    buttons: [{ type: 'quick_reply', text: 'Приду' }],
    examples: { body: ['Айгуль', '15:30'] },
  },
  ...(['image', 'document', 'location'] as const).map((format) => ({
    ...{ id: `with_${format}`, body: 'Ждём вас.', header: { format }, footer: null, buttons: [] },
    examples: {},
  })),
];

/** A file as a person chooses it. */
export interface TableFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export const csvFile = (content: string | Buffer, name = 'clients.csv'): TableFile => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.isBuffer(content) ? content : Buffer.from(content),
});

/** The page on which lists are sent: a number at a scripted provider, with templates. */
export function makeSendPageScene() {
  let provider: ScriptedProvider;

  const scene = extend(makeMonitorScene(), {
    get provider(): ScriptedProvider {
      return provider;
    },

    /** Disconnects the number. @returns what connects it again */
    async disconnect(): Promise<() => Promise<unknown>> {
      const { pool } = scene.database;
      const of = `bot_id = '${scene.account.botId}'`;
      const { rows } = await pool.query(`SELECT credential_key_id, credential FROM bot_channels WHERE ${of}`);
      const { credential_key_id, credential } = rows[0] as Record<string, unknown>;
      const answer = await scene.admin.admin(
        'DELETE',
        `bots/${scene.account.botId}/channels/waba_coexistence`,
      );
      if (!answer.body.ok) throw new Error(answer.text);
      return () =>
        pool.query(`UPDATE bot_channels SET credential_key_id = $1, credential = $2 WHERE ${of}`, [
          credential_key_id,
          credential,
        ]);
    },

    /** Of customers whom nobody has written to. */
    newPhones(count: number): string[] {
      return Array.from({ length: count }, () => `+${(last += 1)}`);
    },

    timesAsked(phones: readonly string[]): number[] {
      const counts = provider.counts();
      return phones.map((phone) => counts.get(phone) ?? 0);
    },

    untilAsked(phones: readonly string[]): Promise<boolean> {
      return eventually(
        () => Promise.resolve(scene.timesAsked(phones).every((times) => times > 0)),
        ALL_SENT_MS,
        'not everybody was sent to',
      );
    },

    /** Has the service answer that it has too much to do, again and again. @returns until it has done so once */
    async putOff(page: Page): Promise<() => Promise<unknown>> {
      const refused = page.waitForResponse('**/send-template');
      await page.route('**/send-template', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '1' },
          json: { ok: false, error: { code: 'RATE_LIMITED', message: 'Later.', request_id: 'r' } },
        }),
      );
      return () => refused;
    },

    /** Chooses a template on the page. */
    async choose(page: Page, template: string): Promise<void> {
      await page.getByRole('combobox', { name: 'Template' }).click();
      await page.getByRole('option', { name: template }).click();
    },

    /** Chooses a template and a file of recipients. */
    async chooseFile(page: Page, template: string, file: TableFile): Promise<void> {
      await scene.choose(page, template);
      await page.getByText('From a CSV file').click();
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('table', { name: 'Check' }).waitFor();
    },

    /** Presses the button that sends, and says so once more. */
    async send(page: Page): Promise<void> {
      await page.getByRole('button', { name: /^Send to/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Send to/ })
        .click();
    },
  });

  scene.withStandIns(async () => {
    provider = await providerOf(scene);
    return provider.environment;
  });
  scene.whenStarted(async () => {
    await scene.account.connect();
    for (const { id, body, header, footer, buttons, examples } of TEMPLATES)
      await scene.database.pool.query(
        `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status,
                                header, body, footer, buttons, examples, params_count)
         VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', $3, $3, 'ru', 'utility', 'approved', $4, $5, $6, $7, $8, $9)`,
        [
          ...[scene.account.id, scene.account.botId, id, header && JSON.stringify(header), body, footer],
          ...[JSON.stringify(buttons), JSON.stringify(examples), examples.body?.length ?? 0],
        ],
      );
  });
  return scene;
}

export const { set: setSendPageScene } = sceneOf(makeSendPageScene);
