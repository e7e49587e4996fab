import { randomUUIDv7 } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { LedgerEntry } from '../../apps/sandbox/src/ledger-buffer';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { PASSWORD } from '../support/clients/session.client';
import { injected } from '../support/faults/injected.faults';
import { ENDPOINT_TIMES, limits } from '../support/programs/test.limits';
import { extend } from '../support/scenes/base.scene';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { sceneOf } from '../support/scenes/scene.opening';
import {
  FREE_PHONE,
  FREE_SENDER,
  FREE_TOKEN,
  HOSTILE,
  makeProviderSettingsScene,
  SENDER,
} from '../support/scenes/settings.scene';
import { ANSWERS, EndpointReceiver } from '../support/stand-ins/endpoint.receiver';
import { ModelScript } from '../support/stand-ins/model.script';
import { partsOf } from './dialog.scene';

const PHONE = '+77015557001';
const OFF = 'AI is off until switched on';

/** The phone of a customer, by the sandbox's page. */
const handsetOf = (page: Page) => ({
  async write(text: string): Promise<void> {
    await page.getByLabel('Message to the business').fill(text);
    await page.keyboard.press('Enter');
    await page.locator('.own .words', { hasText: text }).waitFor();
  },

  /** Until the business has said it. */
  hears: (text: string): Promise<void> =>
    page.locator('.message:not(.own) .words', { hasText: text }).waitFor(),

  /** All that the business has said, the oldest first. */
  heard: (): Promise<string[]> => page.locator('.message:not(.own) .words').allTextContents(),
});

/** The monitor of an account whose numbers and model are at one sandbox, with the phones of its customers, and endpoints. */
function makeOutsideScene() {
  let model: ModelScript;
  let receiver: EndpointReceiver;

  const scene = extend(
    makeProviderSettingsScene({
      stages: [{ name: 'New' }, { name: 'Qualified', kind: 'qualified' }],
      // Addresses of this machine are called, as in the demo. What failed is tried again only when the test has it done.
      environment: {
        ...injected('on-this-machine'),
        ...ENDPOINT_TIMES,
        ...limits({ 'webhookRetries.retriesMs': [3_600_000] }),
      },
    }),
    {
      get model(): ModelScript {
        return model;
      },

      get receiver(): EndpointReceiver {
        return receiver;
      },

      /** @param phone in international form */
      async openHandset(phone: string): Promise<ReturnType<typeof handsetOf>> {
        const { url } = scene.sandbox;
        const page = await scene.open({}, url);
        await page.goto(`${url}/handset?sender=${SENDER}&phone=${phone.slice(1)}`);
        return handsetOf(page);
      },

      /** The texts that the messenger was asked to send to a phone, the oldest first. */
      async sentTo(phone: string): Promise<(string | null)[]> {
        const query = new URLSearchParams({ phone });
        const answer = await fetch(`${scene.sandbox.url}/sandbox/ledger?${query.toString()}`);
        const entries = (await answer.json()) as LedgerEntry[];
        return entries.filter(({ type }) => type !== 'read' && type !== 'typing').map(({ text }) => text);
      },
    },
  );

  scene.withStandIns(async () => {
    model = new ModelScript(scene.sandbox.url);
    receiver = await EndpointReceiver.start();
    scene.whenClosed(() => receiver.stop());
    return model.environment;
  });
  return scene;
}

const scene = sceneOf(makeOutsideScene).set();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

/** As another system makes it. @returns its id */
async function make(things: string, body: object): Promise<string> {
  const answer = await scene.admin.call(`admin/${things}`, body);
  if (!answer.body.ok) throw new Error(answer.text);
  return String(answer.body.data.id);
}

const draft = (name: string, further: object): Promise<string> =>
  make('templates', {
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', name, language: 'en' },
    ...{ category: 'utility', body: 'Your parcel is here.', ...further },
  });

/** An endpoint at the receiver, which takes renames only. @returns its id */
const endpoint = (description: string): Promise<string> =>
  make('webhook-endpoints', {
    ...{ account_id: scene.account.id, url: scene.receiver.url, events: ['lead.renamed'], description },
  });

/** Has an event happen that the endpoints take. */
async function rename(name: string): Promise<void> {
  const threadId = await scene.account.addThread();
  const { body, text } = await scene.api.call('leads/set-name', { thread_id: threadId, name });
  if (!body.ok) throw new Error(text);
}

const deliveryOf = (page: Page, state: string) => page.locator(`[data-delivery-id][data-state=${state}]`);

describe(`with a number and a model (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'a handset and a dialog hold a conversation; an agent that is switched off in the middle falls silent, until it is switched on',
    async () => {
      const board = new BoardWindow(await scene.openAs(await scene.person(), scene.boardPath));
      const { page } = board;
      await board.untilOnline();
      const dialog = partsOf(page);
      const handset = await scene.openHandset(PHONE);

      await scene.model.reply({ when: 'капучино', text: 'Капучино стоит 1200 ₸.' });
      await handset.write('Сколько стоит капучино?');
      await page.getByRole('listitem').filter({ hasText: 'капучино' }).click();
      await dialog.message('Сколько стоит капучино?').waitFor();
      await dialog.message('Капучино стоит 1200 ₸.').waitFor();
      await handset.hears('Капучино стоит 1200 ₸.');

      await scene.model.reply({ when: 'доставка', text: 'Доставим сегодня.', hold: 'middle' });
      await handset.write('А доставка есть?');
      await scene.model.held('доставка');
      await dialog.switch.click();
      await dialog.words.filter({ hasText: OFF }).waitFor();
      await scene.model.release();
      await dialog.happened('A reply of AI was discarded').waitFor();

      // Nothing of this is answered: what is said by hand, and later on, stands next to what was said before.
      await handset.write('Вы ещё здесь?');
      await dialog.message('Вы ещё здесь?').waitFor();
      await dialog.field.fill('Да, это Айгерим. Доставим завтра.');
      await dialog.field.press('Enter');
      await handset.hears('Да, это Айгерим.');
      await handset.write('Пришлёте чек?');
      await dialog.message('Пришлёте чек?').waitFor();
      expect(await dialog.words.textContent()).toBe(OFF);

      await scene.model.reply({ when: 'чек', text: 'Чек пришлём на почту.' });
      await dialog.switch.click();
      await handset.hears('Чек пришлём на почту.');
      await dialog.message('Чек пришлём на почту.').waitFor();
      await dialog.words.filter({ hasText: /^AI answers$/ }).waitFor();

      const said = ['Капучино стоит 1200 ₸.', 'Да, это Айгерим. Доставим завтра.', 'Чек пришлём на почту.'];
      expect(await scene.sentTo(PHONE)).toEqual(said);
      expect(await handset.heard()).toEqual(said);
      expect(await scene.model.requests()).toHaveLength(said.length);
      scene.expectAllQuiet();
    },
  );

  inChromium(
    'an agent is tried out: the reply and the tools that it called show, and nothing is sent',
    async () => {
      const stored = async () => (await scene.database.pool.query('SELECT id FROM messages')).rowCount;
      const before = await stored();
      await scene.model.reply(
        {
          tool_calls: [{ name: 'move_lead', arguments: { status_id: scene.stage(1) } }],
          when: 'How much',
        },
        { text: 'It is 2,000 tenge.', when: 'How much' },
      );
      await admin.session.call('auth/confirm', { password: PASSWORD });
      const page = await scene.openAs(admin, `/settings/assistants?id=${scene.account.assistantId}&tab=try`);
      await page.getByText('Nothing is sent, nothing is stored').waitFor();
      await page.getByLabel('As the customer').fill('How much is it?');
      await page.keyboard.press('Enter');
      const log = page.getByRole('log');
      await log.getByText('It is 2,000 tenge.').waitFor();
      expect(await log.locator('[data-tool=move_lead]').innerText()).toContain(scene.stage(1));
      expect(await stored()).toBe(before);
      scene.expectQuiet(page);
    },
  );
});

describe(`the settings of what is outside (${CHROMIUM_NEEDED})`, () => {
  inChromium('make a bot, connect its number, and test it without sending', async () => {
    const page = await scene.openAs(await scene.person({ role: 'admin' }), '/settings/bots');
    await page.getByRole('button', { name: 'New bot' }).click();
    await page.getByLabel('Name').fill('Night shift');
    await page.locator('form').getByRole('button', { name: 'Make the bot' }).click();
    await page.getByRole('heading', { name: 'Night shift' }).waitFor();
    const meta = page.getByRole('group', { name: 'WhatsApp at Meta' });
    await meta.getByText('Not connected').waitFor();
    await meta.getByLabel('Phone number ID').fill(FREE_SENDER);
    await meta.getByRole('textbox', { name: 'Access token' }).fill(FREE_TOKEN);
    await meta.getByLabel('WhatsApp Business Account ID').fill(`7${FREE_SENDER}`);
    await meta.getByRole('button', { name: 'Connect' }).click();
    await scene.confirm(page);
    await page.getByRole('status').getByText('The number is connected.').waitFor();
    await meta.getByRole('button', { name: 'Test' }).click();
    await meta.getByText('The provider accepts it.').waitFor();
    await meta.getByText('+7 727 000 00 67').waitFor();
    expect(FREE_PHONE).toBe('+77270000067');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium(
    'show a template as WhatsApp does, save it as a draft, submit it, and tell how it stands',
    async () => {
      const page = await scene.openAs(admin, '/settings/templates');
      await page.getByRole('button', { name: 'New template' }).click();
      await page.getByLabel('Name at the provider').fill('parcel_is_here');
      await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{1}}, your *parcel* is at {{2}}.');
      await page.getByLabel('Sample of {{1}}').fill('Aida');
      await page.getByLabel('Sample of {{2}}').fill('the desk');
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('Hello Aida, your parcel is at the desk.').waitFor();
      expect(await preview.locator('strong').innerText()).toBe('parcel');
      await page.locator('form').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'parcel_is_here' }).waitFor();
      const id = new URL(page.url()).searchParams.get('id') ?? '';
      const kept = async (): Promise<unknown> =>
        (await scene.admin.admin('GET', `templates/${id}`)).body.data;
      expect(await kept()).toMatchObject({
        ...{ status: 'draft', body: 'Hello {{1}}, your *parcel* is at {{2}}.' },
        examples: { body: ['Aida', 'the desk'] },
      });
      await page.getByRole('button', { name: 'Submit to moderation' }).click();
      const question = page.getByRole('dialog', { name: 'Submit to moderation' });
      await question.getByRole('button', { name: 'Submit to moderation' }).click();
      await page.getByRole('status').getByText('Submitted.').waitFor();
      await page.getByText('It can be sent.').waitFor();
      expect(await kept()).toMatchObject({ status: 'approved' });
      scene.expectQuiet(page);
    },
  );

  inChromium(
    'make an endpoint after the password, with a secret that is shown once, test it, and send again what failed',
    async () => {
      const { receiver } = scene;
      const page = await scene.openAs(await scene.person({ role: 'admin' }), '/settings/webhooks');
      await page.getByRole('button', { name: 'New endpoint' }).click();
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByLabel('Description').fill('Warehouse');
      await page.getByRole('button', { name: 'Make the endpoint' }).click();
      await scene.confirm(page);
      const dialog = page.getByRole('dialog', { name: 'The secret of the endpoint' });
      receiver.secret = await dialog.getByRole('group', { name: 'The secret' }).innerText();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByRole('status').getByText('The test was delivered: 204').waitFor();
      expect(receiver.events.map(({ type }) => type)).toEqual(['webhook.test']);
      expect(receiver.forged).toEqual([]);
      await deliveryOf(page, 'delivered').getByText('webhook.test').waitFor();

      receiver.usual = ANSWERS.fail;
      await rename('Мадина');
      await page.reload();
      await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
      expect(await page.content()).not.toContain(receiver.secret);
      await page.getByText('1 failure in a row').first().waitFor();
      receiver.usual = ANSWERS.ok;
      await page.getByLabel('State').selectOption('To be sent');
      const pending = deliveryOf(page, 'pending');
      await pending.getByText('1 attempt').click();
      await pending.getByRole('cell', { name: '500' }).waitFor();
      await pending.getByText('next attempt').waitFor();
      await page.getByRole('button', { name: /^Send now: A customer was renamed/ }).click();
      await page.getByRole('status').getByText('It is sent now.').waitFor();
      await page.getByLabel('State').selectOption('Delivered');
      await deliveryOf(page, 'delivered').getByText('2 attempts').waitFor();
      expect(receiver.events.at(-1)).toMatchObject({ type: 'lead.renamed', accepted: true });
      scene.expectQuiet(page, { refusals: true });
    },
  );

  inChromium('show hostile texts as text, fit every screen, and have nothing that axe finds', async () => {
    await scene.admin.admin('PATCH', `bots/${scene.account.botId}`, { name: `Bot ${HOSTILE}` });
    const template = await draft('hostile', { body: `Look: ${HOSTILE.replace('{{count}}', '')} end.` });
    scene.receiver.usual = ANSWERS.reset;
    const of = `/settings/webhooks?id=${await endpoint(`Endpoint ${HOSTILE}`)}`;
    await rename('Камила');
    await scene.database.pool.query(
      `INSERT INTO webhook_rejects (id, account_id, provider, bot_id, delivery_id, path, reason, item, received_at)
       VALUES ($1, $2, 'cloud', $3, -1, $6, $4, $5, now())`,
      [
        ...[randomUUIDv7(), scene.account.id, scene.account.botId, HOSTILE, Buffer.from(HOSTILE)],
        randomUUIDv7(),
      ],
    );
    const same = (name: string) => ({ en: name, ru: name });
    await scene.expectFitForAll(admin, {
      [of]: same(`Endpoint ${HOSTILE}`),
      '/settings/bots': { en: 'Bots and numbers', ru: 'Боты и номера' },
      [`${of}&tab=settings`]: same(`Endpoint ${HOSTILE}`),
      [`/settings/bots?id=${scene.account.botId}`]: same(`Bot ${HOSTILE}`),
      '/settings/templates': { en: 'Templates', ru: 'Шаблоны' },
      '/settings/webhooks': { en: 'Webhooks that could not be taken in', ru: 'Непринятые вебхуки' },
      [`/settings/templates?id=${template}`]: same('hostile'),
    });
  });
});
