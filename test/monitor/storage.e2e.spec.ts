import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { DialogWriter } from '../support/database/dialog.writer';
import { CREDENTIAL } from '../support/database/fixture';
import { eventually } from '../support/eventually';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { PASSWORD } from '../support/clients/session.client';
import { setSettingsScene } from '../support/scenes/settings.scene';
import { partsOf } from './dialog.scene';

const NAME = 'Жанар Сулейменова';
const PHONE = '+77015557101';
const SAID = 'Мой адрес: Абая 10';
const DRAFT = 'Приедем к трём';
const ON_ITS_WAY = 'Выезжаем';
const NOTE = 'Торгуется';
const TOKEN = 'EAAG-typed-and-not-saved';
const NEW_PASSWORD = 'eleven green umbrellas';

const scene = setSettingsScene();
/** Dialogs of two customers, in which a text may be written. */
let dialog: string;
let other: string;

beforeAll(async () => {
  await scene.account.connect();
  const writer = new DialogWriter(scene.database.pool, scene.account);
  const open = async (phone: string, name: string): Promise<string> => {
    const id = await writer.open(phone);
    await writer.say(id, 'USER', SAID);
    await scene.kept.setFacts(id, `customer_name = '${name}', last_inbound_at = clock_timestamp()`);
    return id;
  };
  dialog = await open(PHONE, NAME);
  other = await open('+77015557102', NAME);
});

interface Kept {
  values: Record<string, string>;
  rest: string;
}

/** Runs in the page: everything that a page can keep in its browser. */
const KEPT = `(async () => ({
  values: { ...localStorage, ...Object.fromEntries(Object.entries(sessionStorage)) },
  rest: JSON.stringify([
    document.cookie, window.name, history.state,
    await indexedDB.databases(), await caches.keys(), await navigator.serviceWorker.getRegistrations(),
  ]),
}))()`;

const keptBy = (page: Page): Promise<Kept> => page.evaluate(KEPT);

const draftsOf = async (page: Page): Promise<string[]> =>
  Object.entries((await keptBy(page)).values).flatMap(([key, value]) =>
    key.startsWith('leadline.draft.') ? [value] : [],
  );

const openDialog = async (page: Page, id: string): Promise<void> => {
  await scene.go(page, `/dialogs/${id}`);
  await partsOf(page).field.waitFor();
};

/** The pages one after the other, in each of which something is typed, and the secrets that they showed or took. */
class Walk {
  readonly secrets = [NAME, PHONE, PHONE.slice(1), '701 555 71 01', SAID, PASSWORD, CREDENTIAL];

  constructor(
    private readonly page: Page,
    private readonly person: MonitorPerson,
  ) {}

  /** What the browser keeps, but for the drafts of its person. */
  async look(where: string): Promise<string[]> {
    const { values, rest } = await keptBy(this.page);
    const drafts = new Set([DRAFT, NOTE]);
    const kept = JSON.stringify(Object.entries(values).filter(([, value]) => !drafts.has(value))) + rest;
    return this.secrets.filter((secret) => kept.includes(secret)).map((secret) => `${where}: ${secret}`);
  }

  async signIn(): Promise<void> {
    await scene.signIn(this.page, this.person, scene.boardPath);
    const [{ value = '' } = {}] = await this.page.context().cookies();
    expect(value).not.toBe('');
    this.secrets.push(value);
    this.page.on('request', (request) => {
      const csrf = request.headers()['x-csrf-token'];
      if (csrf !== undefined && !this.secrets.includes(csrf)) this.secrets.push(csrf);
    });
  }

  async dialog(): Promise<void> {
    const { field } = partsOf(this.page);
    await this.page.getByRole('listitem').filter({ hasText: NAME }).first().waitFor();
    await this.page.locator(`[role=listitem][data-thread-id="${dialog}"] a`).click();
    await field.fill(DRAFT);
    await this.page.getByText('Note', { exact: true }).click();
    await this.page.getByRole('textbox', { name: 'Note' }).fill(NOTE);
    await this.page.getByRole('button', { name: 'Rename' }).click();
    await this.page.getByRole('textbox', { name: 'Name of the customer' }).fill(`${NAME}, оптом`);
  }

  async send(): Promise<void> {
    await this.to('Send');
    await this.page.getByRole('textbox', { name: 'Recipients' }).fill(PHONE);
  }

  async bots(): Promise<void> {
    await this.settings('Bots and numbers');
    await this.page.getByRole('link', { name: /bot/ }).first().click();
    await this.page.getByRole('textbox', { name: 'Access token' }).first().fill(TOKEN);
    this.secrets.push(TOKEN);
  }

  async keys(): Promise<void> {
    await this.settings('API keys');
    await this.page.getByRole('button', { name: 'Issue a key' }).click();
    await this.page.getByLabel('Name').fill('Warehouse');
    await this.page.getByRole('checkbox', { name: 'agent' }).check();
    await this.page.locator('form').getByRole('button', { name: 'Issue a key' }).click();
    await scene.confirm(this.page);
    await this.takeSecret('The new key', 'The key');
  }

  async users(): Promise<void> {
    await this.settings('People');
    await this.page.getByRole('button', { name: 'Invite' }).click();
    await this.page.getByLabel('Name').fill('Дана');
    await this.page.getByLabel('E-mail').fill('dana@example.com');
    await this.page.locator('form').getByRole('button', { name: 'Invite' }).click();
    await this.takeSecret('The invitation link', 'The link');
  }

  async profile(): Promise<void> {
    await this.page.getByRole('button', { name: /your account/ }).click();
    await this.page.getByRole('menuitem', { name: 'Password, second factor, sessions' }).click();
    const shown = this.page.getByRole('dialog', { name: 'Your account' });
    await shown.getByLabel('Present password').fill(PASSWORD);
    await shown.getByLabel('New password').fill(NEW_PASSWORD);
    await shown.getByRole('tab', { name: 'Second factor' }).click();
    await shown.getByRole('button', { name: 'Set up' }).click();
    const secret = (await shown.locator('code').first().textContent()) ?? '';
    this.secrets.push(NEW_PASSWORD, secret, secret.replaceAll(' ', ''));
    await shown.getByRole('textbox', { name: 'Code of the app' }).fill('123456');
  }

  /** By a link of the page, so that nothing that it has in memory goes. */
  async to(name: string): Promise<void> {
    const link = this.page.getByRole('link', { name, exact: true });
    const there = link.and(this.page.locator('[aria-current=page]'));
    const leave = this.page.getByRole('button', { name: 'Leave, and lose the changes' });
    await link.click();
    await there.or(leave).waitFor();
    if (await leave.isVisible()) await leave.click();
    await there.waitFor();
    await this.page.locator('main').getByRole('heading').first().waitFor();
  }

  async settings(name: string): Promise<void> {
    if (!this.page.url().includes('/settings/')) await this.to('Settings');
    await this.to(name);
  }

  private async takeSecret(title: string, label: string): Promise<void> {
    const shown = this.page.getByRole('dialog', { name: title });
    const secret = await shown.getByRole('group', { name: label }).innerText();
    this.secrets.push(...new Set([secret, secret.split('#').at(-1) ?? secret]));
    await shown.getByRole('button', { name: 'Close' }).last().click();
    await shown.waitFor({ state: 'detached' });
  }
}

describe(`what the browser keeps (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'is nothing of customers and no secret, over all pages and what is typed there, but drafts',
    async () => {
      const page = await scene.open();
      const walk = new Walk(page, await scene.person({ role: 'admin' }));
      const found: string[] = [];
      const look = async (where: string): Promise<void> => void found.push(...(await walk.look(where)));
      await walk.signIn();
      await look('board');
      await walk.dialog();
      await look('dialog');
      expect((await draftsOf(page)).sort()).toEqual([DRAFT, NOTE].sort());
      await walk.send();
      await look('send');
      for (const name of ['Figures', 'Scenario runs', 'Settings']) {
        await walk.to(name);
        await look(name);
      }
      await walk.bots();
      await look('bots');
      await walk.keys();
      await look('keys');
      await walk.users();
      await look('users');
      for (const name of ['Stages', 'Scenarios', 'Templates', 'Webhooks', 'Audit log', 'State of work']) {
        await walk.settings(name);
        await look(name);
      }
      await walk.profile();
      await look('profile');
      // The session, the token against forgeries, what was shown once, and what was typed.
      expect(walk.secrets.length).toBeGreaterThanOrEqual(15);
      expect(found).toEqual([]);
      scene.expectQuiet(page, { refusals: true });
    },
  );

  inChromium(
    'after a sign-out is no draft, nor in another tab, nor what was on its way and did not go out',
    async () => {
      const page = await scene.openAs(await scene.person(), `/dialogs/${dialog}`);
      const beside = await scene.openBeside(page);
      const { field } = partsOf(page);
      const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route('**/api/v1/messages/send-text', async (route) => {
        asked.resolve();
        await held.promise;
        await route.fulfill({
          status: 429,
          json: { ok: false, error: { code: 'RATE_LIMITED', message: 'x' } },
        });
      });
      await field.fill(ON_ITS_WAY);
      await field.press('Enter');
      await asked.promise;
      await field.fill(DRAFT);
      await openDialog(beside, other);
      await partsOf(beside).field.fill(NOTE);
      // What one tab keeps, the other knows a moment later.
      await eventually(
        async () => (await draftsOf(page)).length === 2,
        20_000,
        'the first tab does not know it',
      );
      expect((await draftsOf(page)).sort()).toEqual([DRAFT, NOTE].sort());
      await scene.signOut(page);
      await beside.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      await eventually(
        async () => (await partsOf(beside).field.inputValue()) === '',
        20_000,
        'the other tab still shows it',
      );
      const refused = page.waitForResponse('**/api/v1/messages/send-text');
      held.resolve();
      await refused;
      await page.getByRole('textbox', { name: 'Password' }).fill('x');
      expect([await draftsOf(page), await draftsOf(beside)]).toEqual([[], []]);
      expect(await page.getByRole('alert').textContent()).toBe('');
    },
  );

  inChromiumAtLength('of how the page speaks and looks holds in all tabs at once', async () => {
    const page = await scene.openAs(await scene.person(), scene.boardPath);
    const beside = await scene.openBeside(page);
    await scene.go(beside, scene.boardPath);
    for (const each of [page, beside]) await each.getByRole('button', { name: /your account/ }).click();
    const keys = beside.getByRole('menuitemcheckbox');
    expect(await keys.getAttribute('aria-checked')).toBe('true');
    await page.getByRole('menuitemcheckbox').click();
    await keys.and(beside.locator('[aria-checked=false]')).waitFor();
    await page.getByText('Dark', { exact: true }).click();
    await beside.locator('html[data-theme=dark]').waitFor();
    await page.getByText('Русский').click();
    await beside.locator('html[lang=ru]').waitFor();
    await beside.getByText('Тёмная', { exact: true }).waitFor();
    scene.expectAllQuiet();
  });

  inChromiumAtLength(
    'may be as much as it takes: without room left one writes and sends all the same',
    async () => {
      const page = await scene.openAs(await scene.person(), `/dialogs/${dialog}`);
      const { field } = partsOf(page);
      await field.waitFor();
      await page.evaluate(`(() => {
      for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2))
        try {
          for (let n = 0; ; n += 1) localStorage.setItem('full.' + size + '.' + n, 'x'.repeat(size));
        } catch {}
    })()`);
      await field.pressSequentially(DRAFT);
      expect(await field.inputValue()).toBe(DRAFT);
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('of one person is not there for the next one', async () => {
    const [one, next] = [await scene.person(), await scene.person({ name: 'Берик' })];
    const page = await scene.openAs(one, `/dialogs/${dialog}`);
    await partsOf(page).field.fill(DRAFT);
    await one.session.call('auth/sign-out', {});
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await scene.signIn(page, next, `/dialogs/${dialog}`);
    await partsOf(page).field.waitFor();
    expect(await partsOf(page).field.inputValue()).toBe('');
    expect(await draftsOf(page)).toEqual([]);
  });
});
