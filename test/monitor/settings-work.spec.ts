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
    scene.expectQuiet(page);
  });

  inChromium('is for admins', async () => {
    await scene.expectForAdmins(PATH);
  });

  inChromium('fits every screen, and has nothing that axe finds', async () => {
    await scene.expectFitForAll(admin, PATH, { en: 'State of work', ru: 'Состояние работы' });
  });
});
