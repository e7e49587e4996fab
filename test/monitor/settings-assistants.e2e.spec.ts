import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { PASSWORD } from '../support/clients/session.client';
import type { GivenStage } from '../support/database/fixture';
import { extend } from '../support/scenes/base.scene';
import { sceneOf } from '../support/scenes/scene.opening';
import { makeMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';
import { ModelScript } from '../support/stand-ins/model.script';

/** With a model that says what a test has it say. */
function makeTrialScene() {
  let model: ModelScript;

  const stages: GivenStage[] = [{ name: 'New' }, { name: 'Qualified', kind: 'qualified' }];
  const scene = extend(makeMonitorScene({ stages, ownServer: true }), {
    get model(): ModelScript {
      return model;
    },
  });

  scene.withStandIns(async () => {
    model = await ModelScript.start();
    scene.whenClosed(() => model.stop());
    return model.environment;
  });
  return scene;
}

const scene = sceneOf(makeTrialScene).set();

let admin: MonitorPerson;
let page: Page;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
  await admin.session.call('auth/confirm', { password: PASSWORD });
});

const open = async (search: string): Promise<void> => {
  page = await scene.openAs(admin, `/settings/assistants?${search}`);
};
const call = async (path: string): Promise<Record<string, unknown>> =>
  (await admin.session.call(`admin/assistants${path}`)).body.data as Record<string, unknown>;
const told = (words: string | RegExp) => page.getByRole('status').getByText(words);

describe(`agents in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('are made with all that they are, and lead to the bot that they need', async () => {
    await open('id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Night agent');
    await page.getByLabel('Instructions').fill('Be brief.');
    await page.getByLabel('Quiet time before a reply, seconds').fill('1.5');
    await page.getByLabel('Awaiting payment').uncheck();
    await page.getByRole('button', { name: 'Make the agent' }).click();
    await told('The agent is made').waitFor();
    await page.getByRole('heading', { name: 'Night agent' }).waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';
    expect(await call(`/${id}`)).toMatchObject({
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
  });

  inChromiumAtLength('lead by the list of pages to stages and scenarios of their own', async () => {
    await open('id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Агент ярмарки');
    await page.getByRole('button', { name: 'Make the agent' }).click();
    await page.getByRole('heading', { name: 'Агент ярмарки' }).waitFor();
    for (const name of ['Stages', 'Scenarios']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      const agent = page.getByLabel('Agent', { exact: true });
      expect(await agent.locator('option:checked').textContent()).toBe('Агент ярмарки');
    }
    scene.expectQuiet(page);
  });

  inChromiumAtLength('get tools, whose secrets are never shown again', async () => {
    const id = scene.account.assistantId;
    await open(`id=${id}&tab=tools&tool=new`);
    const form = page.getByRole('tabpanel', { name: 'Tools' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('book_visit');
    await form.getByLabel('Description').fill('Books a visit.');
    await form.getByLabel('Address').fill('https://shop.example.com/visits');
    await form.getByRole('button', { name: 'Add a header' }).click();
    await form.getByLabel('Name of the header').fill('Authorization');
    await form.getByRole('textbox', { name: 'Value' }).fill('Bearer 4f1c9be27d60');
    await form.getByRole('button', { name: 'Make the tool' }).click();
    await told('The tool is made.').waitFor();
    await page.getByText('Kept: Authorization').waitFor();
    expect((await call(`/${id}/tools`)).tools).toMatchObject([
      { name: 'book_visit', method: 'POST', header_names: ['Authorization'], timeout_ms: 10_000 },
    ]);
    await page.getByLabel('The model may call it').uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await told('Saved').waitFor();
    expect((await call(`/${id}/tools`)).tools).toMatchObject([
      { enabled: false, header_names: ['Authorization'] },
    ]);
    await page.getByRole('button', { name: 'Remove the tool' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the tool' }).click();
    await told('The tool is removed.').waitFor();
    expect((await call(`/${id}/tools`)).tools).toEqual([]);
    scene.expectQuiet(page);
  });

  inChromium(
    'are tried out: the reply and the tools that were called show, and nothing is sent',
    async () => {
      await scene.model.reply(
        {
          tool_calls: [{ name: 'move_lead', arguments: { status_id: scene.stage(1) } }],
          when: 'How much',
        },
        { text: 'It is 2,000 tenge.', when: 'How much' },
      );
      await open(`id=${scene.account.assistantId}&tab=try`);
      await page.getByText('Nothing is sent, nothing is stored').waitFor();
      await page.getByLabel('As the customer').fill('How much is it?');
      await page.keyboard.press('Enter');
      const log = page.getByRole('log');
      await log.getByText('It is 2,000 tenge.').waitFor();
      expect(await log.locator('[data-tool=move_lead]').innerText()).toContain(scene.stage(1));
      const { rows } = await scene.database.pool.query<{ count: string }>('SELECT count(*) FROM messages');
      expect(rows[0]?.count).toBe('0');
      scene.expectQuiet(page);
    },
  );
});
