import type { Page } from 'playwright-core';
import { Authenticator } from '../support/clients/authenticator';
import { axeFaults, axeFaultsOfThemes } from '../support/clients/axe.checker';
import { eventually } from '../support/eventually';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { callAuth, PASSWORD } from '../support/clients/session.client';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();

/** Types what the form asks for first. */
async function fillIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
}

const endSessionsOf = ({ session }: MonitorPerson) =>
  scene.admin.call(`admin/users/${session.userId}/sessions`, undefined, 'DELETE');

describe(`sign-in (${CHROMIUM_NEEDED})`, () => {
  inChromiumAtLength('begins at the e-mail, and says of a wrong password no more than it must', async () => {
    const { email } = await scene.person();
    const page = await scene.open();
    await scene.go(page, '/sign-in');
    await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    await fillIn(page, email, 'not this one at all');
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor();
    scene.expectQuiet(page, { refusals: true });
  });

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
    const page = await scene.open();
    await scene.go(page, '/figures?days=7');
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

  for (const to of ['https://example.com/', '//example.com/', '/\\example.com', 'javascript:alert(1)'])
    inChromiumAtLength(`leads nowhere but to this page: ${to}`, async () => {
      const { email } = await scene.person();
      const page = await scene.open();
      await scene.go(page, `/sign-in?to=${encodeURIComponent(to)}`);
      await fillIn(page, email, PASSWORD);
      await page.waitForURL(`**${scene.boardPath}*`);
      scene.expectQuiet(page);
    });

  inChromiumAtLength('says after too many tries when to go on', async () => {
    const { email } = await scene.person();
    for (let tries = 0; tries < 10; tries++)
      await callAuth(scene.server.url, 'sign-in', { email, password: 'not this one at all' });
    const page = await scene.open();
    await scene.go(page, '/sign-in');
    await fillIn(page, email, PASSWORD);
    await page.getByText(/Too many tries\. Try again in \d+ min/).waitFor();
  });

  inChromiumAtLength('shows by the accent which field has the focus, in the dark too', async () => {
    const page = await scene.open({ colorScheme: 'dark' });
    await scene.go(page, '/sign-in');
    await page.getByRole('textbox', { name: 'E-mail' }).focus();
    const look = `getComputedStyle(document.activeElement).borderTopColor === 'rgb(102, 196, 173)'`;
    await eventually(() => page.evaluate<boolean>(look), 10_000, 'the border was not of the accent');
  });

  inChromium('breaks no rule that axe knows, on a phone, in either theme', async () => {
    const page = await scene.open({ viewport: { width: 360, height: 740 } });
    for (const path of ['/sign-in', '/invitation#no-such-link']) {
      await scene.go(page, path);
      await page.getByRole('button', { name: /[Ss]ign in/ }).waitFor();
      expect(await axeFaultsOfThemes(page)).toEqual([]);
      expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(360);
    }
  });
});

describe(`an invitation (${CHROMIUM_NEEDED})`, () => {
  inChromium('is accepted by a password, and opens the board', async () => {
    const { token } = await scene.invite();
    const page = await scene.open();
    await scene.go(page, `/invitation#${token}`);
    const password = page.getByRole('textbox', { name: 'New password' });
    await password.fill('1234567890');
    await page.keyboard.press('Enter');
    await page.getByText('It is too easy to guess').waitFor();
    await password.fill('a quiet blue river');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${scene.boardPath}*`);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('that is used or void says so, and whom to ask', async () => {
    const page = await scene.open();
    await scene.go(page, '/invitation#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    await page.getByRole('textbox', { name: 'New password' }).fill('a quiet blue river');
    await page.keyboard.press('Enter');
    await page.getByText('This link is used, void or out of date. Ask an admin for a new one.').waitFor();
  });

  inChromiumAtLength('of a person with a second factor asks for its code too', async () => {
    const person = await scene.person();
    const app = await Authenticator.enable(person.session);
    const { body } = await scene.admin.call(`admin/users/${person.session.userId}/invitation`, {});
    const page = await scene.open();
    await scene.go(page, `/invitation${new URL(body.data.invitation.url as string).hash}`);
    await page.getByRole('textbox', { name: 'New password' }).fill('a quiet blue river');
    await page.keyboard.press('Enter');
    const code = page.getByLabel('Code of your authenticator app');
    await code.fill(app.wrongCode());
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong.').waitFor();
    await code.fill(app.recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${scene.boardPath}*`);
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

  inChromium('is taken up again in place, and nothing typed is lost', async () => {
    const person = await scene.person();
    const page = await ended(person);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(person.email);
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('body[data-connection=online]').waitFor();
    expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe('+77010000001');
    scene.expectQuiet(page, { refusals: true });
  });

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
