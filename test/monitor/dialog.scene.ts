import type { Locator, Page } from 'playwright-core';
import { uuidOf } from '../support/database/thread.uuid';
import { untilTaken } from '../support/faults/held.webhooks';
import { extend, type SceneOptions } from '../support/scenes/base.scene';
import { sceneOf } from '../support/scenes/scene.opening';
import { makeMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';
import { providerOf } from '../support/scenes/send.scene';
import { CloudNumber, cloudBody, postCloud, type Change } from '../support/stand-ins/cloud.webhooks';
import type { ScriptedProvider } from '../support/stand-ins/scripted.provider';

let phones = 77_015_600_000;

/** A monitor whose customers write by a number, and whose answers go out by it. */
export function makeDialogScene(options?: SceneOptions) {
  let provider: ScriptedProvider;
  let number: CloudNumber;
  let operator: MonitorPerson;

  const scene = extend(makeMonitorScene(options), {
    get provider(): ScriptedProvider {
      return provider;
    },

    get number(): CloudNumber {
      return number;
    },

    get operator(): MonitorPerson {
      return operator;
    },

    /** What Meta tells, as soon as it is in the dialogs. */
    async tell(...changes: Change[]): Promise<void> {
      const { status, text } = await postCloud(scene.server, cloudBody(changes));
      if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
      await untilTaken(scene.database.pool);
    },

    /** A customer writes for the first time. @returns the dialog, and the phone in digits */
    async customer(text = 'Здравствуйте', name = 'Алия'): Promise<{ id: string; phone: string }> {
      const phone = String((phones += 1));
      await scene.says(phone, text, name);
      const { rows } = await scene.database.pool.query<{ id: string }>(
        'SELECT id FROM threads WHERE phone = $1',
        [`+${phone}`],
      );
      return { id: `thread_${rows[0]?.id}`, phone };
    },

    /** A dialog of so many messages, a minute apart, the newest first read. */
    async longDialog(count: number): Promise<{ id: string; phone: string }> {
      const { id, phone } = await scene.customer('Начало');
      await scene.database.pool.query(
        `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, created_at, sent_at)
         SELECT account_id, gen_random_uuid(), id, bot_id, channel, 'USER', true, 'received', 'сообщение ' || n,
                clock_timestamp() - make_interval(mins => $2::int - n) - interval '1 minute', clock_timestamp()
           FROM threads, generate_series(1, $2::int) n WHERE id = $1`,
        [uuidOf(id), count],
      );
      return { id, phone };
    },

    /** A template that the messenger has approved. */
    async addTemplate(name: string, body: string): Promise<void> {
      const made = await scene.admin.call('admin/templates', {
        ...{
          bot_id: scene.account.botId,
          channel: 'waba_coexistence',
          name,
          language: 'ru',
          category: 'utility',
        },
        ...{ body, examples: { body: ['Алия', 'завтра'] } },
      });
      if (!made.body.ok) throw new Error(made.text);
      await scene.database.pool.query(`UPDATE templates SET status = 'approved' WHERE name = $1`, [name]);
    },

    says(phone: string, content: string | object, name?: string): Promise<void> {
      return scene.tell(scene.number.message({ phone, name }, content));
    },

    /** A window of the operator with a dialog in it, as soon as it can be worked in. */
    async openDialog(
      threadId: string,
      { person = operator, hash = '', ...options }: OpenOptions = {},
    ): Promise<Page> {
      const page = await scene.openAs(person, `/dialogs/${threadId}${hash}`, options);
      await page.locator(`[data-dialog-of="${threadId}"] [role=log]`).waitFor();
      await page.locator('body[data-connection=online]').waitFor();
      return page;
    },
  });

  scene.withStandIns(async () => {
    provider = await providerOf(scene);
    return provider.environment;
  });
  scene.whenStarted(async () => {
    number = new CloudNumber(await scene.account.connect());
    operator = await scene.person({ name: 'Айгерим' });
  });
  return scene;
}

interface OpenOptions {
  person?: MonitorPerson;
  /** Of the address. */
  hash?: string;
  locale?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active';
  permissions?: string[];
}

export const { set: setDialogScene } = sceneOf(makeDialogScene);

/** What tests ask of an element in the page, whose types are unknown here. */
export interface PageElement {
  scrollTop: number;
  width: number;
  height: number;
  dataset: Record<string, string | undefined>;
  parentElement: PageElement;
  scrollBy: (x: number, y: number) => void;
  closest: (selector: string) => PageElement;
  getAttribute: (name: string) => string | null;
  getBoundingClientRect: () => { top: number; bottom: number };
}

/** Runs within the page, so it knows nothing of the test. */
export const ask = <Answer>(element: Locator, question: (element: PageElement) => Answer): Promise<Answer> =>
  element.evaluate(question as never);

export const askAll = <Answer>(
  elements: Locator,
  question: (elements: PageElement[]) => Answer,
): Promise<Answer> => elements.evaluateAll(question as never);

/** The parts of a dialog that tests look at. */
export const partsOf = (page: Page) => ({
  log: page.locator('[role=log]'),
  message: (text: string) => page.locator('article[data-message-id]', { hasText: text }),
  happened: (text: string | RegExp) => page.locator('[data-history-seq]', { hasText: text }),
  switch: page.getByRole('switch'),
  words: page.locator('[data-switch-words]'),
  field: page.getByRole('textbox', { name: /^(Message|Сообщение)$/ }),
  send: page.getByRole('button', { name: /^(Send|Отправить)$/ }),
});
