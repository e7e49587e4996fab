import type { Locator, Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { copiedIn, WITH_CLIPBOARD } from '../support/clients/page.clipboard';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';
import { PASSWORD } from '../support/scenes/people.scene';

const scene = setMonitorScene({ stages: [{ name: 'New' }, { name: 'Qualified', kind: 'qualified' }] });

let admin: MonitorPerson;
let page: Page;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
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
const step = (number: number) => page.getByRole('group', { name: `Step ${number}`, exact: true });

/** A span of a step, by its number and its unit. */
async function span(fields: Locator, label: string, count: string, unit: string): Promise<void> {
  await fields.getByRole('textbox', { name: label, exact: true }).fill(count);
  await fields.getByLabel(`${label}: unit`).selectOption(unit);
}

/** Each kind of step with all of its fields, as a person fills them in. */
const EVERY_KIND: { kind: string; fill?: (fields: Locator) => Promise<void> }[] = [
  {
    kind: 'send_template',
    fill: async (fields) => {
      await fields.getByLabel('Name of the template').fill('order_ready');
      await fields.getByLabel('Language of the template').fill('kk');
      await fields.getByLabel('Channel').selectOption('waba');
      for (const [index, value] of ['{{lead.name|friend}}', '15:30'].entries()) {
        await fields.getByRole('button', { name: 'Add a value' }).click();
        await fields.getByLabel(`Value ${index + 1}`, { exact: true }).fill(value);
      }
      await fields.getByText('Values of named variables').click();
      await fields.getByLabel('Header (JSON)').fill('{"type":"text","text":"{{date}}"}');
      await fields.getByLabel('Buttons (JSON)').fill('[{"type":"url","index":0,"text":"x"}]');
      await span(fields, 'May be late by at most', '45', 'minute');
      await fields.getByText('Further settings of the step').click();
      await fields.getByLabel('If the step fails').selectOption('continue');
    },
  },
  {
    kind: 'send_template',
    fill: async (fields) => {
      await fields.getByLabel('Name of the template').fill('named');
      await fields.getByText('Values of named variables').click();
      await fields.getByRole('button', { name: 'Add a named value' }).click();
      await fields.getByLabel('Name of the variable').fill('first_name');
      await fields.getByLabel('Value', { exact: true }).fill('{{lead.name|friend}}');
    },
  },
  {
    kind: 'send_text',
    fill: async (fields) => {
      await fields.getByLabel('Text', { exact: false }).first().fill('Hello,\n{{lead.name|friend}}');
      await span(fields, 'May be late by at most', '2', 'day');
    },
  },
  { kind: 'wait', fill: (fields) => span(fields, 'For how long', '90', 'day') },
  {
    kind: 'wait_until',
    fill: async (fields) => {
      await fields.getByLabel('Time of day').fill('09:30');
      await fields.getByLabel('Time zone').fill('Asia/Almaty');
      await fields.getByLabel('Sun').check();
      await fields.getByLabel('Mon').check();
      await span(fields, 'But wait at least', '90', 'minute');
    },
  },
  { kind: 'wait_for_reply', fill: (fields) => span(fields, 'At most', '36', 'hour') },
  {
    kind: 'condition',
    fill: async (fields) => {
      await fields.getByLabel('Fact 1', { exact: true }).selectOption('last_send read');
      for (const [index, fact] of ['in_stage true', 'handler OPERATOR', 'kind awaiting_payment'].entries()) {
        await fields.getByRole('button', { name: 'Add a fact' }).click();
        await fields.getByLabel(`Fact ${index + 2}`, { exact: true }).selectOption(fact);
      }
    },
  },
  {
    kind: 'set_status',
    fill: async (fields) => void (await fields.getByLabel('To the stage').selectOption('Qualified')),
  },
  { kind: 'set_status' },
  {
    kind: 'hand_over',
    fill: (fields) => fields.getByLabel('Note for the person').fill('See {{lead.phone}}'),
  },
  { kind: 'return_to_ai' },
  { kind: 'set_ai' },
  {
    kind: 'assign',
    fill: async (fields) => void (await fields.getByLabel('To whom').selectOption(admin.session.userId)),
  },
  { kind: 'assign' },
  { kind: 'notify', fill: (fields) => fields.getByLabel('What it is about').fill('Call {{lead.name|them}}') },
  {
    kind: 'http',
    fill: async (fields) => {
      await fields.getByLabel('Method').selectOption('PUT');
      await fields.getByRole('textbox', { name: 'Address' }).fill('https://crm.example.com/leads');
      await fields.getByRole('button', { name: 'Add a header' }).click();
      await fields.getByLabel('Name of the header').fill('Authorization');
      await fields.getByRole('textbox', { name: 'Value' }).fill('Bearer secret');
      await fields.getByLabel('Body (JSON)').fill('{"phone":"{{lead.phone}}","n":[1,null]}');
    },
  },
];

/** What the operation has of them. */
const everyStep = (): object[] => [
  {
    ...{ kind: 'send_template', on_failure: 'continue', template_id: 'order_ready', template_language: 'kk' },
    ...{ channel: 'waba', params: ['{{lead.name|friend}}', '15:30'], max_late_seconds: 2_700 },
    header: { type: 'text', text: '{{date}}' },
    buttons: [{ type: 'url', index: 0, text: 'x' }],
  },
  {
    ...{ kind: 'send_template', template_id: 'named', template_language: 'ru', max_late_seconds: 21_600 },
    named_params: { first_name: '{{lead.name|friend}}' },
  },
  { kind: 'send_text', text: 'Hello,\n{{lead.name|friend}}', max_late_seconds: 172_800 },
  { kind: 'wait', seconds: 7_776_000 },
  {
    ...{ kind: 'wait_until', time: '09:30', timezone: 'Asia/Almaty', weekdays: [1, 7] },
    at_least_seconds: 5_400,
  },
  { kind: 'wait_for_reply', seconds: 129_600, on_timeout: { go: 'step-7' } },
  {
    ...{ kind: 'condition', label: 'step-7', else: { go: 'step-14' } },
    all: [
      { fact: 'last_send', is: 'read' },
      { fact: 'in_stage', is: true },
      { fact: 'handler', is: 'OPERATOR' },
      { fact: 'kind', is: 'awaiting_payment' },
    ],
  },
  { kind: 'set_status', status_id: scene.stage(1) },
  { kind: 'set_status', status_id: null },
  { kind: 'hand_over', note: 'See {{lead.phone}}' },
  { kind: 'return_to_ai' },
  { kind: 'set_ai', ai_enabled: false },
  { kind: 'assign', user_id: admin.session.userId },
  { kind: 'assign', label: 'step-14', user_id: null },
  { kind: 'notify', text: 'Call {{lead.name|them}}' },
  {
    ...{ kind: 'http', method: 'PUT', url: 'https://crm.example.com/leads' },
    headers: { Authorization: null },
    body: { phone: '{{lead.phone}}', n: [1, null] },
  },
];

describe(`scenarios in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('are made step by step, switched off, as the operation gives them', async () => {
    await open('id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reminder');
    await addStep('wait');
    await step(1).getByRole('textbox', { name: 'For how long', exact: true }).fill('10');
    await step(1).getByLabel('For how long: unit').selectOption('minute');
    await addStep('wait_for_reply');
    await addStep('notify');
    await step(3).getByLabel('What it is about').fill('Call {{lead.phone|them}}');
    await page.getByRole('button', { name: 'Change step 2' }).click();
    await step(2).getByLabel('Without a reply').selectOption({ label: 'end the run' });
    await page.getByRole('button', { name: 'Make the scenario' }).click();
    await page.getByRole('status').getByText('The scenario is made.').waitFor();
    await page.getByRole('heading', { name: 'Reminder' }).waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';
    expect(await read(id)).toMatchObject({
      name: 'Reminder',
      state: 'off',
      status_id: scene.stage(0),
      steps: [
        { kind: 'wait', seconds: 600 },
        { kind: 'wait_for_reply', seconds: 86_400, on_timeout: 'stop' },
        { kind: 'notify', text: 'Call {{lead.phone|them}}' },
      ],
    });
    const sentences = await page.getByRole('region', { name: 'Steps' }).getByRole('listitem').allInnerTexts();
    expect(sentences).toEqual([
      '1. Wait 10 minutes',
      '2. Wait up to 1 day for a reply; without one, end',
      '3. Ask for a person: “Call {{lead.phone|them}}”',
    ]);
    scene.expectQuiet(page);
  });

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
    await page.reload();
    await page.getByRole('heading', { name: 'Signed' }).waitFor();
    expect(await page.content()).not.toContain(data.signing_secret);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('keep every field of every kind of step, over a change of something else too', async () => {
    await open('id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Everything');
    for (const [index, { kind, fill }] of EVERY_KIND.entries()) {
      await addStep(kind);
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
    expect((await read(id)).steps).toEqual(everyStep());

    await page.reload();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('All of it');
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ name: 'All of it' });
    await page.getByRole('heading', { name: 'All of it' }).waitFor();
    expect((await read(id)).steps).toEqual(everyStep());
    scene.expectQuiet(page);
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
    const field = step(2).getByRole('textbox', { name: 'Text', exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await step(2)
      .getByText(/lead\.email/)
      .nth(1)
      .waitFor();
    expect((await admin.session.call(`admin/scenarios`)).text).not.toContain('Wrong');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('keep their steps over a change that moves one by the keyboard', async () => {
    const id = await make('Order', [
      { kind: 'wait_for_reply', seconds: 60, on_timeout: { go: 'silent' } },
      { kind: 'return_to_ai' },
      { kind: 'notify', label: 'silent', text: 'Call', on_failure: 'continue' },
    ]);
    await open(`id=${id}&edit=yes`);
    await page.getByRole('button', { name: 'Move down: Step 2' }).focus();
    await page.keyboard.press('Enter');
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(Object.keys(request.postDataJSON() as object)).toEqual(['steps']);
    await page.getByRole('status').getByText('Saved').waitFor();
    expect((await read(id)).steps).toMatchObject([
      { kind: 'wait_for_reply', seconds: 60, on_timeout: { go: 'silent' } },
      { kind: 'notify', label: 'silent', text: 'Call', on_failure: 'continue' },
      { kind: 'return_to_ai' },
    ]);
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
