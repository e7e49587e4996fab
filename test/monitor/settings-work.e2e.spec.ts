import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { setSettingsScene } from '../support/scenes/settings.scene';

const PATH = '/settings/work';

const scene = setSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

describe(`the state of work in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('tells of each kind of work of the own account what the server tells', async () => {
    const page = await scene.openAs(admin, PATH);
    const { body } = await admin.session.call('admin/work');
    const queues = body.data.queues as { name: string }[];
    await page.getByRole('rowheader', { name: 'Replies of agents' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(queues.length);
    await page.getByText('Nothing is late.').waitFor();
    // Each number another one, so that each is seen to stand where it belongs.
    await page.route('**/api/v1/admin/work', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: { queues: object[] } };
      for (const [n, queue] of json.data.queues.entries())
        Object.assign(queue, { due: 10 + n, in_flight: 30 + n, failed_last_hour: 50 + n });
      await route.fulfill({ response, json });
    });
    await page.getByRole('button', { name: 'Read it now' }).click();
    await page.getByRole('cell', { name: '10', exact: true }).waitFor();
    const cells = (label: string) => page.locator(`td[data-label="${label}"]`).allTextContents();
    const from = (first: number) => queues.map((_, n) => String(first + n));
    expect(await cells('Due')).toEqual(from(10));
    expect(await cells('Under way')).toEqual(from(30));
    expect(await cells('Failed in the last hour')).toEqual(from(50));
    scene.expectQuiet(page);
  });

  inChromium('is for admins', async () => {
    await scene.expectForAdmins(PATH);
  });

  inChromium('fits every screen, and has nothing that axe finds', async () => {
    await scene.expectFitForAll(admin, PATH, { en: 'State of work', ru: 'Состояние работы' });
  });
});
