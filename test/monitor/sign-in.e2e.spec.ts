import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { Authenticator } from '../support/clients/authenticator';
import { axeFaultsOfThemes } from '../support/clients/axe.checker';
import { eventually } from '../support/eventually';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { openProfile, setUpSecondFactor } from '../support/clients/profile.dialog';
import { callAuth, PASSWORD, signIn } from '../support/clients/session.client';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();
const PHONE = { viewport: { width: 360, height: 740 } };

/** Types what the form asks for first. */
async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
}

const endSessionsOf = ({ session }: MonitorPerson) =>
  scene.admin.call(`admin/users/${session.userId}/sessions`, undefined, 'DELETE');

/** For everybody, and no wider than its phone. */
async function expectFit(page: Page): Promise<void> {
  expect(await axeFaultsOfThemes(page)).toEqual([]);
  const widest = `Math.max(...[...document.querySelectorAll(':root, [role=dialog]')].map((each) => each.scrollWidth))`;
  expect(await page.evaluate(widest)).toBe(360);
}

const signsIn = async ({ email }: MonitorPerson, password: string, code?: string): Promise<number> =>
  (await callAuth(scene.server.url, 'sign-in', { email, password, code })).status;

describe(`sign-in (${CHROMIUM_NEEDED})`, () => {
  inChromiumAtLength('comes after signing out on a board, and nothing fails on the way', async () => {
    const page = await scene.openAs(await scene.person({ name: 'Алия' }), scene.boardPath);
    await page.locator('[role=list][data-status-id]').first().waitFor();
    await page.getByRole('button', { name: 'Алия, your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('asks for the code of a second factor, and leads back to where one came from', async () => {
    const person = await scene.person();
    const app = await Authenticator.enable(person.session);
    const page = await scene.open(PHONE);
    await scene.go(page, '/figures?days=7');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectFit(page);
    await fillIn(page, person.email, PASSWORD);
    const code = page.getByLabel('Code of your authenticator app');
    await code.and(page.locator(':focus')).waitFor();
    await code.fill(app.wrongCode());
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail address, the password or the code is wrong.').waitFor();
    await code.fill(app.recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/figures?days=7');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('shows by the accent which field has the focus, in the dark too', async () => {
    const page = await scene.open({ colorScheme: 'dark' });
    await scene.go(page, '/sign-in');
    await page.getByRole('textbox', { name: 'E-mail' }).focus();
    const look = `getComputedStyle(document.activeElement).borderTopColor === 'rgb(102, 196, 173)'`;
    await eventually(() => page.evaluate<boolean>(look), 10_000, 'the border was not of the accent');
  });
});

describe(`an invitation (${CHROMIUM_NEEDED})`, () => {
  inChromium('is accepted by a password, and opens the board', async () => {
    const { token } = await scene.invite();
    const page = await scene.open(PHONE);
    await scene.go(page, `/invitation#${token}`);
    const password = page.getByRole('textbox', { name: 'New password' });
    await password.waitFor();
    await expectFit(page);
    await password.fill('1234567890');
    await page.keyboard.press('Enter');
    await page.getByText('It is too easy to guess').waitFor();
    await password.fill('a quiet blue river');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${scene.boardPath}*`);
    scene.expectQuiet(page, { refusals: true });
  });
});

describe(`a session that has ended (${CHROMIUM_NEEDED})`, () => {
  /** Opens the page for lists, types something, and waits until the page says that the session has ended. */
  async function ended(person: MonitorPerson): Promise<Page> {
    const page = await scene.openAs(person, '/send');
    // As in the first seconds, before the browser has kept the code of all parts.
    await page.route('**/assets/parts-*.json', () => undefined);
    await page.getByRole('textbox', { name: 'Recipients' }).fill('+77010000001');
    await page.locator('body[data-connection=online]').waitFor();
    await endSessionsOf(person);
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    return page;
  }

  inChromium('leaves the page at once to whoever signs in in another tab', async () => {
    const [person, other] = [await scene.person({ name: 'Алия' }), await scene.person({ name: 'Марат' })];
    const page = await scene.openAs(person, '/send');
    await page.getByRole('textbox', { name: 'Recipients' }).fill('+77010000001');
    await page.locator('body[data-connection=online]').waitFor();
    const beside = await scene.openBeside(page);
    await scene.signIn(beside, other, '/sign-in');
    await page.getByRole('button', { name: 'Марат, your account' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe('');
    scene.expectAllQuiet();
  });

  inChromiumAtLength('is taken up again in all tabs of the person by one sign-in', async () => {
    const person = await scene.person();
    const page = await ended(person);
    const beside = await scene.openBeside(page);
    await scene.signIn(beside, person, '/sign-in');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'detached' });
    await page.locator('body[data-connection=online]').waitFor();
    expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe('+77010000001');
    scene.expectAllQuiet({ refusals: true });
  });

  inChromiumAtLength('is taken up again with the second factor', async () => {
    const person = await scene.person();
    const app = await Authenticator.enable(person.session);
    const page = await ended(person);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Code of your authenticator app').fill(app.recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('body[data-connection=online]').waitFor();
  });
});

describe(`the profile (${CHROMIUM_NEEDED})`, () => {
  inChromium('changes the password by the present one, and ends the other sessions', async () => {
    const person = await scene.person();
    const other = await signIn(scene.server.url, person.email, PASSWORD);
    const page = await scene.openAs(person, scene.boardPath, PHONE);
    const dialog = await openProfile(page, 'Password');
    await expectFit(page);
    await dialog.getByRole('tab', { name: 'Sessions' }).click();
    await dialog.getByText('This one').waitFor();
    await expectFit(page);
    await dialog.getByRole('tab', { name: 'Password' }).click();
    await dialog.getByLabel('Present password').fill(PASSWORD);
    await dialog.getByLabel('New password').fill('eleven green umbrellas');
    await dialog.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is changed. Your other sessions have ended.').waitFor();
    expect((await other.call('auth/me')).status).toBe(401);
    expect(await signsIn(person, 'eleven green umbrellas')).toBe(200);
    scene.expectQuiet(page);
  });
});

describe(`a second factor that the account demands (${CHROMIUM_NEEDED})`, () => {
  const demand = (isDemanded: boolean) =>
    scene.admin.call(`admin/accounts/${scene.account.id}`, { second_factor_required: isDemanded }, 'PATCH');

  afterEach(() => demand(false));

  inChromium(
    'is set up first, its recovery codes are shown once, as a file too, and then the page opens',
    async () => {
      const person = await scene.person();
      await demand(true);
      const page = await scene.openAs(person, scene.boardPath, PHONE);
      const dialog = page.getByRole('dialog', { name: 'A second factor is needed' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(true);
      const codes = await setUpSecondFactor(dialog);
      await expectFit(page);
      expect(codes).toHaveLength(10);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toEqual(codes);
      await dialog.getByRole('button', { name: 'I have kept them' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await person.session.call('leads/get-statuses', {})).status).toBe(200);
      expect(await page.getByText(codes[0] ?? '').count()).toBe(0);
      expect(await signsIn(person, PASSWORD, codes[0])).toBe(200);
      const profile = await openProfile(page, 'Second factor');
      await profile.getByText('On: you sign in with a code').waitFor();
      scene.expectQuiet(page);
    },
  );
});
