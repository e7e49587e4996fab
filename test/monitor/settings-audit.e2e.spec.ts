import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';

const PATH = '/settings/audit';

const scene = setSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin', name: 'Айгуль' });
});

describe(`the audit in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows hostile names as text, fits every screen, and has nothing that axe finds', async () => {
    await admin.session.call('admin/bots', { name: HOSTILE, assistant_id: scene.account.assistantId });
    await scene.expectFitForAll(admin, PATH, { en: 'Audit log', ru: 'Журнал действий' });
  });
});
