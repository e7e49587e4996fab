import { readFile } from 'node:fs/promises';
import { Authenticator } from '../support/clients/authenticator';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { copiedIn, WITH_CLIPBOARD } from '../support/clients/page.clipboard';
import { callAuth, tokenOf, joinBy, PASSWORD } from '../support/clients/session.client';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';

const PATH = '/settings/users';

const scene = setSettingsScene();
/** The only one of the account. */
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin', name: 'Айгуль' });
});

/** Whether or not the password was given in the last ten minutes. */
async function confirmIfAsked(page: Awaited<ReturnType<typeof scene.openAs>>, done: string): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Your password, please' });
  const passed = page.getByRole('status').getByText(done);
  await asked.or(passed).first().waitFor();
  if (await asked.isVisible()) await scene.confirm(page);
  await passed.waitFor();
}

describe(`people in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows the link of an invitation once, to be copied, and it lets the person in', async () => {
    const page = await scene.openAs(admin, PATH, WITH_CLIPBOARD);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Name').fill('Дана');
    await page.getByLabel('E-mail').fill('dana@example.com');
    await page.locator('form').getByRole('button', { name: 'Invite' }).click();
    await confirmIfAsked(page, 'Invited.');
    const dialog = page.getByRole('dialog', { name: 'The invitation link' });
    await dialog.getByRole('button', { name: 'Copy: The link' }).click();
    await dialog.getByRole('button', { name: 'Copied: The link' }).waitFor();
    const link = await copiedIn(page);
    expect(link).toBe(await dialog.getByRole('group', { name: 'The link' }).innerText());
    const invited = { id: '', email: 'dana@example.com', token: tokenOf(link) };
    const session = await joinBy(scene.server.url, invited);
    expect((await session.call('auth/me')).body.data.user.role).toBe('operator');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.reload();
    await page.getByRole('heading', { name: 'Дана' }).waitFor();
    expect(await page.content()).not.toContain(invited.token);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('lets somebody in again who has lost the app and the password', async () => {
    const person = await scene.person({ name: 'Жанна' });
    await Authenticator.enable(person.session);
    const { email, session } = person;
    const page = await scene.openAs(admin, `${PATH}?id=${session.userId}`);
    const answer = async (action: string, title: string, done: string): Promise<void> => {
      await page.getByRole('button', { name: action }).click();
      const question = page.getByRole('dialog', { name: title });
      await question.getByRole('button', { name: action }).click();
      await confirmIfAsked(page, done);
      await question.waitFor({ state: 'detached' });
    };
    await answer(
      ...(['Take the second factor away', 'Take the second factor away?'] as const),
      'The second factor is taken away.',
    );
    await page.getByRole('button', { name: 'Take the second factor away' }).waitFor({ state: 'detached' });
    expect((await callAuth(scene.server.url, 'sign-in', { email, password: PASSWORD })).status).toBe(200);

    await answer('New link', 'Make a new link?', 'The link is made.');
    const dialog = page.getByRole('dialog', { name: 'The invitation link' });
    await dialog.getByText(/^Good until/).waitFor();
    const token = tokenOf(await dialog.getByRole('group', { name: 'The link' }).innerText());
    expect((await session.call('auth/me')).status).toBe(401);
    const password = 'eleven green umbrellas';
    expect((await callAuth(scene.server.url, 'accept-invitation', { token, password })).status).toBe(200);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('hands out all that is kept of a customer who is asked for by phone', async () => {
    await scene.account.addThread({ phone: '+77015550777' });
    const page = await scene.openAs(admin, `${PATH}?id=customer`);
    await page.getByLabel('Phone of the customer, or link to the dialog').fill('+7 701 555 07 77');
    await page.getByRole('button', { name: 'Find' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'Export' }).click();
        await confirmIfAsked(page, 'The export is downloaded.');
      })(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    const records = lines.map((line) => (JSON.parse(line) as { record: string }).record);
    expect([records[0], records.at(-1)]).toEqual(['thread', 'end']);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('erases a customer only when the phone is typed, found by the link to the dialog', async () => {
    const thread = await scene.account.addThread({ phone: '+77015550778' });
    const page = await scene.openAs(admin, `${PATH}?id=customer`);
    const link = `${scene.server.url}/dialogs/${thread}`;
    await page.getByLabel('Phone of the customer, or link to the dialog').fill(link);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: 'Erase' }).click();
    const question = page.getByRole('dialog', { name: 'Erase this customer?' });
    const erase = question.getByRole('button', { name: 'Erase' });
    await question.getByLabel('Type the phone to confirm').fill('+77015550779');
    await question.getByText('That is not the phone of this customer.').waitFor();
    expect(await erase.isDisabled()).toBe(true);
    await question.getByLabel('Type the phone to confirm').fill('7 701 555 07 78');
    await erase.click();
    await page.getByRole('status').getByText('The customer is erased.').waitFor();
    const { body } = await scene.api.call('leads/get-lead', { thread_id: thread });
    expect(body.data.phone).toBeNull();
    scene.expectQuiet(page);
  });

  inChromium('shows hostile names as text, fits every screen, and has nothing that axe finds', async () => {
    const { session } = await scene.person({ name: HOSTILE });
    await scene.expectFitForAll(admin, {
      [PATH]: { en: 'People', ru: 'Люди' },
      [`${PATH}?id=${session.userId}`]: { en: HOSTILE, ru: HOSTILE },
      [`${PATH}?id=account`]: { en: 'Settings of the account', ru: 'Настройки аккаунта' },
      [`${PATH}?id=customer`]: { en: 'A customer’s rights', ru: 'Права клиента' },
    });
  });
});
