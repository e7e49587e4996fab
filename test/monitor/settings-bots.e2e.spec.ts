import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import {
  HOSTILE,
  FREE_PHONE,
  FREE_SENDER,
  FREE_TOKEN,
  SENDER,
  setSettingsScene,
} from '../support/scenes/settings.scene';
import type { MonitorPerson } from '../support/scenes/monitor.scene';

const PATH = '/settings/bots';

const scene = setSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

const openBot = (id: string) => scene.openAs(admin, `${PATH}?id=${id}`);

/** What the server has of a bot's number at Meta. */
async function channelOf(botId: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await scene.admin.admin('GET', `bots/${botId}`);
  const channels = body.data.channels as Record<string, unknown>[];
  return channels.find(({ channel }) => channel === 'waba_coexistence');
}

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
    await page.getByRole('status').getByText('The number is connected.').waitFor();
    await meta.getByRole('button', { name: 'Test' }).click();
    await meta.getByText('The provider accepts it.').waitFor();
    await meta.getByText('+7 727 000 00 67').waitFor();
    expect(FREE_PHONE).toBe('+77270000067');
    scene.expectQuiet(page);
  });

  inChromium('tells that a secret is set, shows it nowhere, and keeps it where none is given', async () => {
    const page = await openBot(scene.account.botId);
    const bodies = scene.bodiesOf(page, 'PUT');
    const meta = page.getByRole('group', { name: 'WhatsApp at Meta' });
    const token = meta.getByRole('textbox', { name: 'Access token' });
    expect([await token.inputValue(), await token.getAttribute('placeholder')]).toEqual([
      '',
      'Set. Leave it empty to keep it.',
    ]);
    await meta.getByLabel('Messages a second').fill('15');
    await meta.getByRole('button', { name: 'Save the number' }).click();
    await page.getByRole('status').getByText('The number is changed.').waitFor();
    expect(bodies).toEqual([
      { sender: SENDER, settings: { waba_id: `7${SENDER}` }, messages_per_second: 15 },
    ]);
    expect((await channelOf(scene.account.botId))?.connected).toBe(true);
    scene.expectQuiet(page);
  });

  inChromium('shows the address for the provider, to be copied', async () => {
    const page = await openBot(scene.account.botId);
    const address = await page.getByRole('group', { name: 'Address for the provider' }).innerText();
    expect(address).toBe((await channelOf(scene.account.botId))?.webhook_url);
    await page.getByRole('button', { name: 'Copy: Address for the provider' }).waitFor();
    scene.expectQuiet(page);
  });

  inChromium('says at its field that a number belongs to another bot', async () => {
    const page = await openBot(await scene.account.addBot());
    const meta = page.getByRole('group', { name: 'WhatsApp at Meta' });
    await meta.getByLabel('Phone number ID').fill(SENDER);
    await meta.getByRole('textbox', { name: 'Access token' }).fill('another');
    await meta.getByLabel('WhatsApp Business Account ID').fill('12345');
    await meta.getByRole('button', { name: 'Connect' }).click();
    await meta.getByText('This number is connected to another bot.').waitFor();
    expect(await meta.getByLabel('Phone number ID').getAttribute('aria-invalid')).toBe('true');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('explains why a number does not work, in words and in those of the provider', async () => {
    const botId = await scene.account.addBot();
    await scene.account.connect('waba_coexistence', { botId, sender: '100000000000099' });
    const page = await openBot(botId);
    const meta = page.getByRole('group', { name: 'WhatsApp at Meta' });
    const test = meta.getByRole('button', { name: 'Test' });
    await test.press('Enter');
    await meta.getByText('It does not work.').waitFor();
    // It was disabled while it worked, and has the focus again.
    await test.and(page.locator(':focus')).waitFor();
    await meta.getByText('What the provider says').click();
    await meta.getByText('"error"').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('disconnects a number once it was asked for again', async () => {
    const botId = await scene.account.addBot();
    await scene.account.connect('waba_coexistence', { botId });
    const page = await openBot(botId);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const question = page.getByRole('dialog', { name: 'Disconnect this number?' });
    await question.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('status').getByText('The number is disconnected.').waitFor();
    expect((await channelOf(botId))?.connected).toBe(false);
    await page
      .getByRole('textbox', { name: 'Access token' })
      .and(page.getByPlaceholder('Not set.'))
      .waitFor();
    scene.expectQuiet(page);
  });

  inChromium('is for admins', async () => {
    await scene.expectForAdmins(PATH);
  });

  inChromium('shows hostile names as text, fits every screen, and has nothing that axe finds', async () => {
    await scene.admin.admin('PATCH', `bots/${scene.account.botId}`, { name: HOSTILE });
    await scene.expectFitForAll(admin, PATH, { en: 'Bots and numbers', ru: 'Боты и номера' });
    await scene.expectFitForAll(admin, `${PATH}?id=${scene.account.botId}`, { en: HOSTILE, ru: HOSTILE });
  });
});
