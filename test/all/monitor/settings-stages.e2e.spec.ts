import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';

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
describe(`stages in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('keep the focus when one is made, and when it is archived', async () => {
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

  inChromium('ask before unsaved changes are lost', async () => {
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
});
