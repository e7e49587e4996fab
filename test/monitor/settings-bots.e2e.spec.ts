import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import {
  HOSTILE,
  FREE_PHONE,
  FREE_SENDER,
  FREE_TOKEN,
  setProviderSettingsScene,
} from '../support/scenes/settings.scene';
import type { MonitorPerson } from '../support/scenes/monitor.scene';

const PATH = '/settings/bots';

const scene = setProviderSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

describe(`bots in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('makes a bot, connects its number, and tests it without sending', async () => {
    const page = await scene.openAs(admin, PATH);
    await page.getByRole('button', { name: 'New bot' }).click();
    await page.getByLabel('Name').fill('Night shift');
    await page.locator('form').getByRole('button', { name: 'Make the bot' }).click();
    await page.getByRole('heading', { name: 'Night shift' }).waitFor();
    const meta = page.getByRole('group', { name: 'WhatsApp at Meta' });
    await meta.getByText('Not connected').waitFor();
    await meta.getByLabel('Phone number ID').fill(FREE_SENDER);
    await meta.getByRole('textbox', { name: 'Access token' }).fill(FREE_TOKEN);
    await meta.getByLabel('WhatsApp Business Account ID').fill(`7${FREE_SENDER}`);
    await meta.getByRole('button', { name: 'Connect' }).click();
    await scene.confirm(page);
    await page.getByRole('status').getByText('The number is connected.').waitFor();
    await meta.getByRole('button', { name: 'Test' }).click();
    await meta.getByText('The provider accepts it.').waitFor();
    await meta.getByText('+7 727 000 00 67').waitFor();
    expect(FREE_PHONE).toBe('+77270000067');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('shows hostile names as text, fits every screen, and has nothing that axe finds', async () => {
    await scene.admin.admin('PATCH', `bots/${scene.account.botId}`, { name: HOSTILE });
    await scene.expectFitForAll(admin, {
      [PATH]: { en: 'Bots and numbers', ru: 'Боты и номера' },
      [`${PATH}?id=${scene.account.botId}`]: { en: HOSTILE, ru: HOSTILE },
    });
  });
});
