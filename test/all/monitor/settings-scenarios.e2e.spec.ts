import type { Locator, Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { withEarlyFrames } from '../../support/clients/early.frames';
import { copiedIn, WITH_CLIPBOARD } from '../../support/clients/page.clipboard';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';
import { PASSWORD } from '../../support/clients/session.client';

const scene = setMonitorScene({ stages: [{ name: 'New' }, { name: 'Qualified', kind: 'qualified' }] });

let admin: MonitorPerson;
let page: Page;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
  // For the steps that call other systems.
  await admin.session.call('auth/confirm', { password: PASSWORD });
});

const read = async (id: string): Promise<Record<string, unknown>> =>
  (await admin.session.call(`admin/scenarios/${id}`)).body.data as Record<string, unknown>;

const make = async (name: string, steps: object[]): Promise<string> => {
  const body = { status_id: scene.stage(0), name, steps };
  return (await admin.session.call('admin/scenarios', body)).body.data.id as string;
};

const open = async (search: string): Promise<void> => {
  page = await scene.openAs(admin, `/settings/scenarios?${search}`);
};

const addStep = async (kind: string): Promise<void> => {
  await page.getByLabel('Kind of the new step').selectOption(kind);
  await page.getByRole('button', { name: 'Add a step' }).click();
};
/** In a field that has come to have the focus by itself. */
const typeInto = async (field: Locator, text: string): Promise<void> => {
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
  expect(await field.inputValue()).toBe(text);
};
const step = (number: number) => page.getByRole('group', { name: `Step ${number}`, exact: true });

describe(`scenarios in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('get a new signing secret after the password, shown once, to be copied', async () => {
    const id = await make('Signed', [{ kind: 'http', method: 'POST', url: 'https://crm.example.com/hook' }]);
    const person = await scene.person({ role: 'admin', name: 'Сауле' });
    page = await scene.openAs(person, `/settings/scenarios?id=${id}`, WITH_CLIPBOARD);
    await page.getByRole('button', { name: 'New signing secret' }).click();
    const question = page.getByRole('dialog', { name: 'Make a new signing secret?' });
    await question.getByLabel('Hours in which both count').fill('2');
    await question.getByRole('button', { name: 'New signing secret' }).click();
    const password = page.getByRole('dialog', { name: 'Your password, please' });
    await password.locator('input[type=password]').fill(PASSWORD);
    const [made] = await Promise.all([
      page.waitForResponse((each) => each.url().endsWith('/rotate-secret') && each.status() === 200),
      password.getByRole('button', { name: 'Confirm' }).click(),
    ]);
    expect(made.request().postDataJSON()).toEqual({ overlap_hours: 2 });
    const { data } = (await made.json()) as { data: { signing_secret: string } };
    const shown = page.getByRole('dialog', { name: 'Signing secret' });
    await shown.getByText(data.signing_secret).waitFor();
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copiedIn(page)).toBe(data.signing_secret);
    await withEarlyFrames(page);
    await shown.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'Signed' }).and(page.locator(':focus')).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Signed' }).waitFor();
    expect(await page.content()).not.toContain(data.signing_secret);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('show at its field what the page and the server find wrong', async () => {
    await open('id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wrong');
    await addStep('wait');
    await step(1).getByRole('textbox', { name: 'For how long', exact: true }).fill('0');
    await addStep('send_text');
    await step(2).getByRole('textbox', { name: 'Text', exact: true }).fill('Hello {{lead.email}}');
    await page.getByRole('button', { name: 'Make the scenario' }).click();
    await step(1).getByText('From 1 to').waitFor();
    await step(1).getByRole('textbox', { name: 'For how long', exact: true }).fill('2');
    await page.getByRole('button', { name: 'Make the scenario' }).click();
    await page.getByRole('alert').getByText('Some fields are not right.').waitFor();
    await step(2)
      .getByRole('textbox', { name: 'Text', exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    await step(2)
      .getByText(/lead\.email/)
      .nth(1)
      .waitFor();
    expect((await admin.session.call(`admin/scenarios`)).text).not.toContain('Wrong');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('stay open at a fault until it is mended, and shut again when asked', async () => {
    await open('id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed');
    await addStep('send_text');
    await addStep('wait');
    await page.getByRole('button', { name: 'Make the scenario' }).click();
    await step(1).getByText('Please fill this in.').waitFor();
    await typeInto(step(1).getByRole('textbox', { name: 'Text', exact: true }), 'Hello');
    await page.getByRole('button', { name: 'Close step 1' }).click();
    await step(1).waitFor({ state: 'detached' });
    scene.expectQuiet(page);
  });

  inChromium('begin a new step in its first field, and keep the focus where one is removed', async () => {
    await open('id=new');
    await addStep('send_text');
    await typeInto(step(1).getByRole('textbox', { name: 'Text', exact: true }), 'Hello');
    await addStep('wait');
    await page.getByRole('button', { name: 'Remove step 1' }).click();
    await page.getByRole('button', { name: 'step 1' }).and(page.locator(':focus')).waitFor();
    scene.expectQuiet(page);
  });

  inChromium('are checked before anybody gets a message', async () => {
    const id = await make('Check', [
      { kind: 'wait_for_reply', seconds: 86_400, on_timeout: 'stop' },
      { kind: 'notify', text: 'Call' },
    ]);
    await open(`id=${id}`);
    const check = page.getByRole('region', { name: 'Check' });
    await check.getByRole('button', { name: 'Check the scenario' }).click();
    await check.getByText(/no reply came/).waitFor();
    await check.getByLabel('The customer replies').check();
    await check.getByRole('button', { name: 'Check the scenario' }).click();
    await check.getByText(/a reply came/).waitFor();
    await check.getByText('The run ends:').waitFor();
    const { runs } = (await admin.session.call(`admin/scenario-runs?scenario_id=${id}`)).body.data;
    expect(runs).toEqual([]);
    scene.expectQuiet(page);
  });

  inChromium('are paused, started by hand after a look, shown with their runs, and deleted', async () => {
    const id = await make('By hand', [{ kind: 'wait', seconds: 3_600 }]);
    const threadId = await scene.account.addThread({ statusId: scene.stage(0) });
    await open(`id=${id}`);
    await page.getByRole('button', { name: 'Start by hand' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For whom').selectOption('dialogs');
    await dialog.getByLabel('Dialogs', { exact: true }).fill(`https://example.com/dialogs/${threadId}`);
    await dialog.getByRole('button', { name: 'Look first' }).click();
    await dialog.getByText('1 run would begin.').waitFor();
    const begun = 'SELECT FROM scenario_runs WHERE scenario_id = $1';
    expect((await scene.database.pool.query(begun, [id])).rowCount).toBe(0);
    await dialog.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('status').getByText('1 run begins.').waitFor();
    await page.locator('[data-run-state]').first().waitFor();
    expect(await page.getByRole('link', { name: 'All runs' }).getAttribute('href')).toContain(id);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('[data-scenario-state=paused]').waitFor();
    expect((await read(id)).state).toBe('paused');
    await page.getByRole('button', { name: 'Cancel its runs' }).click();
    await dialog.getByRole('button', { name: 'Cancel its runs' }).click();
    await page.getByRole('status').getByText('1 run was cancelled.').waitFor();

    await page.getByRole('button', { name: 'Delete the scenario' }).click();
    await dialog.getByRole('button', { name: 'Delete the scenario' }).click();
    await page.getByRole('status').getByText('The scenario is deleted.').waitFor();
    expect((await admin.session.call(`admin/scenarios/${id}`)).body.error.code).toBe('SCENARIO_NOT_FOUND');
    scene.expectQuiet(page, { refusals: true });
  });
});
