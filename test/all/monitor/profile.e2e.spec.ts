import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { signIn, PASSWORD } from '../../support/clients/session.client';
import { openProfile, setUpSecondFactor } from '../../support/clients/profile.dialog';
import { setMonitorScene } from '../../support/scenes/monitor.scene';

const scene = setMonitorScene();

describe(`the profile (${CHROMIUM_NEEDED})`, () => {
  inChromium('lists where one is signed in, names this browser, and ends another session', async () => {
    const person = await scene.person();
    const lost = await signIn(scene.server.url, person.email, PASSWORD, {
      'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    const page = await scene.open();
    await scene.signIn(page, person, scene.boardPath);
    const dialog = await openProfile(page, 'Sessions');
    const sessions = dialog.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await sessions.filter({ hasText: 'This one' }).filter({ hasText: 'Chrome on Linux' }).waitFor();
    const other = sessions.filter({ hasText: 'Firefox on Windows' });
    await other
      .filter({ hasText: '127.0.0.1' })
      .getByRole('button', { name: /End the session of/ })
      .click();
    await other.waitFor({ state: 'detached' });
    expect((await lost.call('auth/me')).status).toBe(401);
    expect((await person.session.call('auth/me')).status).toBe(200);
    scene.expectQuiet(page);
  });

  inChromium('gives the focus back to the menu of the account', async () => {
    const page = await scene.openAs(await scene.person(), scene.boardPath);
    await openProfile(page, 'Password');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /your account/ })
      .and(page.locator(':focus'))
      .waitFor();
  });
});

describe(`a second factor that the account demands (${CHROMIUM_NEEDED})`, () => {
  const demand = (isDemanded: boolean) =>
    scene.admin.call(`admin/accounts/${scene.account.id}`, { second_factor_required: isDemanded }, 'PATCH');

  afterEach(() => demand(false));

  inChromium('lets one sign out instead', async () => {
    const person = await scene.person();
    await demand(true);
    const page = await scene.openAs(person, scene.boardPath);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect((await person.session.call('auth/me')).status).toBe(401);
  });

  inChromium('is asked for over the page of whoever is at work when it comes to be demanded', async () => {
    await scene.account.connect();
    const page = await scene.openAs(await scene.person(), '/send');
    await page.getByRole('combobox', { name: 'Template' }).waitFor();
    await demand(true);
    await page.getByRole('textbox', { name: 'Recipients' }).fill('+77010000001');
    const dialog = page.getByRole('dialog', { name: 'A second factor is needed' });
    await setUpSecondFactor(dialog);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe('+77010000001');
  });
});
