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
  inChromium('fits every screen, and has nothing that axe finds', async () => {
    await scene.expectFitForAll(admin, PATH, { en: 'State of work', ru: 'Состояние работы' });
  });
});
