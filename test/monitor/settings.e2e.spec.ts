import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { ApiClient } from '../support/clients/api.client';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { copiedIn, WITH_CLIPBOARD } from '../support/clients/page.clipboard';
import { joinBy, PASSWORD, tokenOf } from '../support/clients/session.client';
import { TransferClient } from '../support/clients/transfer.client';
import { eventually } from '../support/eventually';
import { everyKind, everyStep } from '../support/scenes/every.steps';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';

const DEADLINE_MS = 20_000;

const scene = setSettingsScene({
  stages: [
    ...[{ name: 'New' }, { name: 'Qualified', kind: 'qualified' as const }],
    ...[{ name: 'Third' }, { name: 'Paid', kind: 'success' as const }],
  ],
});
let admin: MonitorPerson;

beforeAll(async () => {
  await scene.account.connect();
  admin = await scene.person({ role: 'admin', name: 'Айгуль' });
});

/** Whether or not the password was given in the last ten minutes. */
async function confirmIfAsked(page: Page, done: string): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Your password, please' });
  const passed = page.getByRole('status').getByText(done);
  await asked.or(passed).first().waitFor();
  if (await asked.isVisible()) await scene.confirm(page);
  await passed.waitFor();
}

/** A key with a hostile name, a check of a file with a hostile stage, and somebody who is called so. @returns their addresses */
async function addHostile(): Promise<Record<'key' | 'file' | 'person', string>> {
  const { assistantId, botId, id } = scene.account;
  await admin.session.call('admin/bots', { name: HOSTILE, assistant_id: assistantId });
  const key = await scene.admin.call('admin/api-keys', {
    ...{ account_id: id, name: HOSTILE, scopes: ['leads'], bot_ids: [], assistant_ids: [assistantId] },
  });
  const file = await new TransferClient(scene.api).import(
    `phone,status\n12,"${HOSTILE.replaceAll('"', '""')}"`,
    { assistant_id: assistantId, bot_id: botId, channel: 'waba_coexistence', dry_run: 'true' },
  );
  const { session } = await scene.person({ name: HOSTILE });
  return {
    key: `/settings/keys?id=${String(key.body.data.id)}`,
    file: `/import?id=${String(file.body.data.import_id)}`,
    person: `/settings/users?id=${session.userId}`,
  };
}

const same = (name: string) => ({ en: name, ru: name });

describe(`the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('show hostile names as text, fit every screen, and have nothing that axe finds', async () => {
    const hostile = await addHostile();
    const agent = `/settings/assistants?id=${scene.account.assistantId}`;
    const sees = 'main :is(textarea, input[type=text]):visible';
    await scene.expectFitForAll(admin, {
      '/settings/audit': { en: 'Audit log', ru: 'Журнал действий' },
      [agent]: { ...same('agent'), sees },
      '/settings/keys': { en: 'API keys', ru: 'Ключи API' },
      [`${agent}&tab=tools&tool=new`]: { ...same('agent'), sees },
      [hostile.key]: same(HOSTILE),
      [`${agent}&tab=try`]: { ...same('agent'), sees },
      '/settings/users': { en: 'People', ru: 'Люди' },
      [`/settings/stages?id=${scene.stage(0)}`]: { ...same('New'), sees },
      [hostile.person]: same(HOSTILE),
      '/settings/scenarios?id=new': { en: 'A new scenario', ru: 'Новый сценарий', sees },
      '/settings/users?id=account': { en: 'Settings of the account', ru: 'Настройки аккаунта' },
      '/settings/work': { en: 'State of work', ru: 'Состояние работы' },
      '/settings/users?id=customer': { en: 'A customer’s rights', ru: 'Права клиента' },
      '/import': { en: 'Import of leads', ru: 'Импорт клиентов' },
      [hostile.file]: { en: 'The file is checked', ru: 'Файл проверен' },
    });
  });

  inChromium(
    'make an agent by the keyboard from its first field, and lead to the bot that it needs',
    async () => {
      const page = await scene.openAs(admin, '/settings/assistants');
      await page.getByRole('button', { name: 'New agent' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('Night agent');
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      expect(await name.inputValue()).toBe('Night agent');
      await page.getByLabel('Instructions').fill('Be brief.');
      await page.getByLabel('Quiet time before a reply, seconds').fill('1.5');
      await page.getByLabel('Awaiting payment').uncheck();
      await name.press('Enter');
      await page.getByRole('status').getByText('The agent is made').waitFor();
      await page.getByRole('heading', { name: 'Night agent' }).and(page.locator(':focus')).waitFor();
      const id = new URL(page.url()).searchParams.get('id') ?? '';
      expect((await admin.session.call(`admin/assistants/${id}`)).body.data).toMatchObject({
        name: 'Night agent',
        instructions: 'Be brief.',
        model: null,
        reply_delay_ms: 1_500,
        reply_parts_max: 3,
        barred_kinds: ['success'],
        model_options: null,
        vision: false,
        handover_text: null,
        auto_return_minutes: 30,
      });
      await page.getByText('No bot with a connected number speaks for this agent yet').waitFor();
      await page.getByRole('link', { name: 'Make a bot for it' }).click();
      const chosen = page.getByRole('combobox', { name: 'Agent' });
      await chosen.waitFor();
      expect(await chosen.inputValue()).toBe(id);
      scene.expectQuiet(page);
    },
  );

  inChromium(
    'reorder stages by the keyboard, which keeps the focus on the button, and by a mouse',
    async () => {
      const page = await scene.openAs(admin, `/settings/stages?agent=${scene.account.assistantId}`);
      const list = page.getByRole('list', { name: 'Stages' });
      await list.getByRole('listitem').first().waitFor();
      const shown = () => list.getByRole('listitem').getByRole('link').allInnerTexts();
      /** As the database has the funnel. */
      const stored = async (): Promise<string[]> => {
        const { body } = await admin.session.call(`admin/statuses?assistant_id=${scene.account.assistantId}`);
        return (body.data as { statuses: { name: string }[] }).statuses.map(({ name }) => name);
      };
      const untilStored = (expected: string[]): Promise<unknown> =>
        eventually(
          async () => (await stored()).join() === expected.join(),
          DEADLINE_MS,
          `${expected.join()} was not stored`,
        );
      const down = page.getByRole('button', { name: 'Move down: New' });
      await down.focus();
      await page.keyboard.press('Enter');
      await untilStored(['Qualified', 'New', 'Third', 'Paid']);
      await down.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await untilStored(['Qualified', 'Third', 'Paid', 'New']);
      expect(await shown()).toEqual(await stored());

      const row = (name: string) =>
        list.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
      const handle = await row('Qualified').getByTitle('Drag to another place').boundingBox();
      const target = await row('Paid').boundingBox();
      if (!handle || !target) throw new Error('nothing to drag');
      await page.mouse.move(handle.x + 8, handle.y + 8);
      await page.mouse.down();
      await page.mouse.move(target.x + 40, target.y + target.height - 12, { steps: 8 });
      await page.mouse.move(target.x + 40, target.y + target.height - 6, { steps: 4 });
      await page.mouse.up();
      await untilStored(['Third', 'Paid', 'Qualified', 'New']);
      await page.reload();
      await list.getByRole('listitem').first().waitFor();
      expect(await shown()).toEqual(['Third', 'Paid', 'Qualified', 'New']);
      scene.expectQuiet(page);
    },
  );

  inChromium(
    'keep every field of every kind of step of a scenario, over a change of something else',
    async () => {
      // For the steps that call other systems.
      await admin.session.call('auth/confirm', { password: PASSWORD });
      const page = await scene.openAs(admin, `/settings/scenarios?agent=${scene.account.assistantId}&id=new`);
      const step = (number: number) => page.getByRole('group', { name: `Step ${number}`, exact: true });
      const read = async (id: string): Promise<Record<string, unknown>> =>
        (await admin.session.call(`admin/scenarios/${id}`)).body.data as Record<string, unknown>;
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Everything');
      for (const [index, { kind, fill }] of everyKind(admin.session.userId).entries()) {
        await page.getByLabel('Kind of the new step').selectOption(kind);
        await page.getByRole('button', { name: 'Add a step' }).click();
        await fill?.(step(index + 1));
      }
      // Where steps lead on, to steps further down.
      for (const [from, field, to] of [
        [6, 'Without a reply', 7],
        [7, 'Otherwise', 14],
      ] as const) {
        await page.getByRole('button', { name: `Change step ${from}` }).click();
        const choice = step(from).getByLabel(field);
        await choice.selectOption({ index: to - from + (field === 'Otherwise' ? 0 : 1) });
      }
      await page.getByRole('button', { name: 'Make the scenario' }).click();
      await page.getByRole('dialog', { name: 'Signing secret' }).getByText('Close').click();
      const id = new URL(page.url()).searchParams.get('id') ?? '';
      expect((await read(id)).steps).toEqual(everyStep(scene.stage(1), admin.session.userId));

      await page.reload();
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('All of it');
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.method() === 'PATCH'),
        page.getByRole('button', { name: 'Save' }).click(),
      ]);
      expect(request.postDataJSON()).toEqual({ name: 'All of it' });
      await page.getByRole('heading', { name: 'All of it' }).waitFor();
      expect((await read(id)).steps).toEqual(everyStep(scene.stage(1), admin.session.userId));
      scene.expectQuiet(page);
    },
  );

  inChromium('show a new key once, after the password, to be copied, and never again', async () => {
    const person = await scene.person({ role: 'admin' });
    const page = await scene.openAs(person, '/settings/keys', WITH_CLIPBOARD);
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Name').fill('Warehouse');
    await page.getByRole('checkbox', { name: 'agent', exact: true }).check();
    await page.locator('form').getByRole('button', { name: 'Issue a key' }).click();
    await scene.confirm(page);
    const dialog = page.getByRole('dialog', { name: 'The new key' });
    const key = await dialog.getByRole('group', { name: 'The key' }).innerText();
    expect((await new ApiClient(scene.server.url, key).call('leads/get-statuses', {})).status).toBe(200);
    await dialog.getByRole('button', { name: 'Copy: The key' }).click();
    await dialog.getByRole('button', { name: 'Copied: The key' }).waitFor();
    expect(await copiedIn(page)).toBe(key);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'Warehouse' }).and(page.locator(':focus')).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    expect(await page.content()).not.toContain(key);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('show the link of an invitation once, and it lets the person in', async () => {
    const page = await scene.openAs(admin, '/settings/users');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Name').fill('Дана');
    await page.getByLabel('E-mail').fill('dana@example.com');
    await page.locator('form').getByRole('button', { name: 'Invite' }).click();
    await confirmIfAsked(page, 'Invited.');
    const dialog = page.getByRole('dialog', { name: 'The invitation link' });
    const link = await dialog.getByRole('group', { name: 'The link' }).innerText();
    const invited = { id: '', email: 'dana@example.com', token: tokenOf(link) };
    const session = await joinBy(scene.server.url, invited);
    expect((await session.call('auth/me')).body.data.user.role).toBe('operator');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.reload();
    await page.getByRole('heading', { name: 'Дана' }).waitFor();
    expect(await page.content()).not.toContain(invited.token);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium(
    'hand out all that is kept of a customer, and erase them only when the phone is typed',
    async () => {
      const thread = await scene.account.addThread({ phone: '+77015550777' });
      const page = await scene.openAs(admin, '/settings/users?id=customer');
      const asked = page.getByLabel('Phone of the customer, or link to the dialog');
      await asked.fill('+7 701 555 07 77');
      await page.getByRole('button', { name: 'Find' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        (async () => {
          await page.getByRole('button', { name: 'Export' }).click();
          await confirmIfAsked(page, 'The export is downloaded.');
        })(),
      ]);
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
      const records = lines.map((line) => (JSON.parse(line) as { record: string }).record);
      expect([records[0], records.at(-1)]).toEqual(['thread', 'end']);

      await asked.fill(`${scene.server.url}/dialogs/${thread}`);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('button', { name: 'Erase' }).click();
      const question = page.getByRole('dialog', { name: 'Erase this customer?' });
      const erase = question.getByRole('button', { name: 'Erase' });
      await question.getByLabel('Type the phone to confirm').fill('+77015550779');
      await question.getByText('That is not the phone of this customer.').waitFor();
      expect(await erase.isDisabled()).toBe(true);
      await question.getByLabel('Type the phone to confirm').fill('7 701 555 07 77');
      await erase.click();
      await page.getByRole('status').getByText('The customer is erased.').waitFor();
      const { body } = await scene.api.call('leads/get-lead', { thread_id: thread });
      expect(body.data.phone).toBeNull();
      scene.expectQuiet(page, { refusals: true });
    },
  );
});
