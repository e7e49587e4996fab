import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';

const PATH = '/settings/audit';

const scene = setSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin', name: 'Айгуль' });
  await admin.session.call(`admin/bots/${scene.account.botId}`, { name: 'Day shift' }, 'PATCH');
  await admin.session.call(
    `admin/assistants/${scene.account.assistantId}`,
    { instructions: 'You sell coffee.\nBe brief.\nBe kind.' },
    'PATCH',
  );
  await admin.session.call(
    `admin/assistants/${scene.account.assistantId}`,
    { instructions: 'You sell coffee.\nBe polite.\nBe kind.' },
    'PATCH',
  );
});

describe(`the audit in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('tells who changed what, with what it was before', async () => {
    const page = await scene.openAs(admin, PATH);
    const entry = page.locator('[data-action="bot.update"]');
    await entry.getByText('Айгуль').waitFor();
    await entry.getByText('What changed').click();
    const row = entry.getByRole('row', { name: /^name/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['bot', 'Day shift']);
    scene.expectQuiet(page);
  });

  inChromium('tells of a long text only which lines differ', async () => {
    const page = await scene.openAs(admin, `${PATH}?action=assistant.update`);
    const entry = page.locator('[data-action="assistant.update"]').first();
    await entry.getByText('What changed').click();
    await entry.getByRole('table').waitFor();
    expect(await entry.locator('[data-kind=gone] bdi').allInnerTexts()).toEqual(['Be brief.']);
    expect(await entry.locator('[data-kind=new] bdi').allInnerTexts()).toEqual(['Be polite.']);
    expect(await entry.locator('[data-kind=same]').count()).toBe(2);
    scene.expectQuiet(page);
  });

  inChromium('keeps the filters in the address, over a reload', async () => {
    const page = await scene.openAs(admin, PATH);
    await page.getByLabel('What was done').selectOption('bot.update');
    await page.waitForURL(/action=bot\.update/);
    await page.locator('[data-action="session.create"]').first().waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-action="bot.update"]').waitFor();
    expect(await page.locator('[data-action]').count()).toBe(1);
    expect(await page.getByLabel('What was done').inputValue()).toBe('bot.update');
    scene.expectQuiet(page);
  });

  inChromium(
    'tells times by the clock of the browser, past midnight too, and in UTC where one points',
    async () => {
      // A place where the hour after midnight is now: the sign of these zones is the other way round.
      const hour = new Date().getUTCHours();
      const timezoneId = hour > 12 ? `Etc/GMT-${24 - hour}` : `Etc/GMT+${hour}`;
      const page = await scene.openAs(admin, PATH, { timezoneId });
      const time = page.locator('[data-action="bot.update"] time');
      const at = new Date((await time.getAttribute('datetime')) ?? '');
      const there = at.toLocaleTimeString('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: timezoneId,
      });
      expect(await time.innerText()).toContain(there);
      expect(await time.getAttribute('title')).toBe(`${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
      scene.expectQuiet(page);
    },
  );

  inChromium('says that nothing was done so', async () => {
    const page = await scene.openAs(admin, `${PATH}?action=tool.delete`);
    await page.getByText('Nothing was done so.').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('is for admins', async () => {
    await scene.expectForAdmins(PATH);
  });

  inChromium('shows hostile names as text, fits every screen, and has nothing that axe finds', async () => {
    await admin.session.call('admin/bots', { name: HOSTILE, assistant_id: scene.account.assistantId });
    await scene.expectFitForAll(admin, PATH, { en: 'Audit log', ru: 'Журнал действий' });
  });
});
