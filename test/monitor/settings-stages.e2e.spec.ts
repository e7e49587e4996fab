import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const DEADLINE_MS = 20_000;

const scene = setMonitorScene({
  stages: [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }, { name: 'Four' }],
});

let admin: MonitorPerson;
let page: Page;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

const openStages = async (search = ''): Promise<void> => {
  page = await scene.openAs(admin, `/settings/stages${search}`);
  await page.getByRole('list', { name: 'Stages' }).getByRole('listitem').first().waitFor();
};

interface Stage {
  id: string;
  name: string;
  kind: string;
  on_enter: string | null;
}

/** As the database has the funnel. */
const stored = async (): Promise<Stage[]> => {
  const { body } = await admin.session.call(`admin/statuses?assistant_id=${scene.account.assistantId}`);
  return (body.data as { statuses: Stage[] }).statuses;
};
const names = async (): Promise<string[]> => (await stored()).map(({ name }) => name);
const shown = (): Promise<string[]> =>
  page.getByRole('list', { name: 'Stages' }).getByRole('listitem').getByRole('link').allInnerTexts();

const untilStored = (expected: string[]): Promise<unknown> =>
  eventually(
    async () => (await names()).join() === expected.join(),
    DEADLINE_MS,
    `${expected.join()} was not stored`,
  );

describe(`stages in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('are reordered by the keyboard, which keeps the focus on the button', async () => {
    await openStages();
    await page.getByRole('button', { name: 'Move down: One' }).focus();
    await page.keyboard.press('Enter');
    await untilStored(['Two', 'One', 'Three', 'Four']);
    await page.getByRole('button', { name: 'Move down: One' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await untilStored(['Two', 'Three', 'Four', 'One']);
    expect(await shown()).toEqual(await names());
    await page.reload();
    await page.getByRole('link', { name: 'One' }).waitFor();
    expect(await shown()).toEqual(['Two', 'Three', 'Four', 'One']);
    scene.expectQuiet(page);
  });

  inChromium('are reordered by dragging with a mouse', async () => {
    await openStages();
    const before = await names();
    const [first = '', ...rest] = before;
    const row = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
    const handle = await row(first).getByTitle('Drag to another place').boundingBox();
    const target = await row(rest[1] ?? '').boundingBox();
    if (!handle || !target) throw new Error('nothing to drag');
    await page.mouse.move(handle.x + 8, handle.y + 8);
    await page.mouse.down();
    await page.mouse.move(target.x + 40, target.y + target.height - 12, { steps: 8 });
    await page.mouse.move(target.x + 40, target.y + target.height - 6, { steps: 4 });
    await page.mouse.up();
    const after = [...rest.slice(0, 2), first, ...rest.slice(2)];
    await untilStored(after);
    expect(await shown()).toEqual(after);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('are made and changed, and only what changed is sent', async () => {
    await openStages();
    await page.getByRole('button', { name: 'New stage' }).click();
    await page.getByRole('button', { name: 'Make the stage' }).click();
    await page.getByText('Please fill this in.').waitFor();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByLabel('Name').fill('With the master');
    await page.getByLabel('Kind').selectOption('qualified');
    await page.getByLabel('When a lead enters').selectOption('operator');
    await page.getByRole('button', { name: 'Make the stage' }).click();
    await page.getByRole('status').getByText('The stage is made').waitFor();
    expect((await stored()).at(-1)).toMatchObject({
      name: 'With the master',
      kind: 'qualified',
      on_enter: 'operator',
    });
    await page.getByText('Whoever enters is handed to a person').waitFor();

    await page.getByLabel('When a lead should be here').fill('It is being repaired.');
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(request.postDataJSON()).toEqual({ description: 'It is being repaired.' });
    await page.getByRole('status').getByText('Saved').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('keep the focus when one is made, and when it is archived', async () => {
    await openStages();
    await page.getByRole('button', { name: 'New stage' }).click();
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('For a while');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'For a while' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Archive the stage' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive the stage' }).click();
    await page.getByRole('heading', { name: 'Stages' }).and(page.locator(':focus')).waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('ask before unsaved changes are lost', async () => {
    const [first] = await stored();
    await openStages(`?id=${first?.id ?? ''}`);
    await page.getByLabel('Name').fill('Never saved');
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click();
    await page.getByRole('button', { name: 'Stay' }).last().click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Never saved');
    await page.getByRole('link', { name: 'Scenarios', exact: true }).click();
    await page.getByRole('button', { name: 'Leave, and lose the changes' }).click();
    await page.waitForURL('**/settings/scenarios');
    expect(await names()).not.toContain('Never saved');
    scene.expectQuiet(page);
  });

  inChromium('are archived once it is said where their leads go', async () => {
    const [first, second] = await stored();
    if (!first || !second) throw new Error('no stages');
    const threadId = await scene.account.addThread({ statusId: first.id });
    await openStages(`?id=${first.id}`);
    await page.getByRole('button', { name: 'Archive the stage' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Archive the stage' }).click();
    await dialog.getByRole('alert').getByText('Leads are in this stage').waitFor();
    expect(await names()).toContain(first.name);
    await dialog.getByLabel('Leads that are here go').selectOption(second.id);
    await dialog.getByRole('button', { name: 'Archive the stage' }).click();
    await page.getByRole('status').getByText('The stage is archived.').waitFor();
    expect(await names()).not.toContain(first.name);
    expect((await scene.kept.thread(threadId)).status_id).toBe(second.id);
    scene.expectQuiet(page, { refusals: true });
  });
});
