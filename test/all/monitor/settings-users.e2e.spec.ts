import { Authenticator } from '../../support/clients/authenticator';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { callAuth, tokenOf, PASSWORD } from '../../support/clients/session.client';
import type { MonitorPerson } from '../../support/scenes/monitor.scene';
import { setSettingsScene } from '../../support/scenes/settings.scene';

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
  inChromium('lets somebody in again who has lost the app and the password', async () => {
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
});
