import { ApiClient } from '../support/clients/api.client';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { copiedIn, WITH_CLIPBOARD } from '../support/clients/page.clipboard';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';

const PATH = '/settings/keys';

const scene = setSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

/** Issues a key as the installation does. @returns its id and itself */
async function issue(name: string): Promise<{ id: string; key: string }> {
  const { body, text } = await scene.admin.call('admin/api-keys', {
    ...{ account_id: scene.account.id, name, scopes: ['leads'], bot_ids: [] },
    assistant_ids: [scene.account.assistantId],
  });
  if (!body.ok) throw new Error(text);
  return { id: body.data.id as string, key: body.data.key as string };
}

const statusBy = async (key: string): Promise<number> =>
  (await new ApiClient(scene.server.url, key).call('leads/get-statuses', {})).status;

describe(`keys in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows a new key once, after the password, to be copied, and never again', async () => {
    const person = await scene.person({ role: 'admin' });
    const page = await scene.openAs(person, PATH, WITH_CLIPBOARD);
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Name').fill('Warehouse');
    await page.getByRole('checkbox', { name: 'agent' }).check();
    await page.locator('form').getByRole('button', { name: 'Issue a key' }).click();
    await scene.confirm(page);
    const dialog = page.getByRole('dialog', { name: 'The new key' });
    const key = await dialog.getByRole('group', { name: 'The key' }).innerText();
    expect(await statusBy(key)).toBe(200);
    await dialog.getByRole('button', { name: 'Copy: The key' }).click();
    await dialog.getByRole('button', { name: 'Copied: The key' }).waitFor();
    expect(await copiedIn(page)).toBe(key);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'Warehouse' }).and(page.locator(':focus')).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    expect(await page.content()).not.toContain(key);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('gives a key a new secret, and says until when the old one is good', async () => {
    const { id, key } = await issue('Courier');
    const page = await scene.openAs(await scene.person({ role: 'admin' }), `${PATH}?id=${id}`);
    await page.getByRole('button', { name: 'New secret' }).click();
    const question = page.getByRole('dialog', { name: 'Give the key a new secret?' });
    await question.getByLabel('The old secret is good for so many hours').fill('2');
    await question.getByRole('button', { name: 'New secret' }).click();
    await scene.confirm(page);
    const dialog = page.getByRole('dialog', { name: 'The new key' });
    await dialog.getByText(/^The old secret is good until/).waitFor();
    const fresh = await dialog.getByRole('group', { name: 'The key' }).innerText();
    expect(fresh).not.toBe(key);
    expect([await statusBy(fresh), await statusBy(key)]).toEqual([200, 200]);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('revokes a key for good', async () => {
    const { id, key } = await issue('Old shop');
    const page = await scene.openAs(await scene.person({ role: 'admin' }), `${PATH}?id=${id}`);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke the key?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await scene.confirm(page);
    await page.getByText('It is refused, and cannot be changed any more.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    const answer = await scene.admin.admin('GET', 'api-keys?limit=200');
    const keys = answer.body.data.api_keys as { id: string; revoked_at: string | null }[];
    expect(keys.find((one) => one.id === id)?.revoked_at).not.toBeNull();
    expect(key).toMatch(/^ll_/);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('does nothing without the password', async () => {
    const { id } = await issue('Kept');
    const page = await scene.openAs(await scene.person({ role: 'admin' }), `${PATH}?id=${id}`);
    await page.getByLabel('Name').fill('Taken over');
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Your password, please' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await save.and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Taken over');
    await page.reload();
    await page.getByRole('heading', { name: 'Kept' }).waitFor();
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength(
    'knows what is over by the server’s clock, where the browser’s is hours off',
    async () => {
      const { id } = await issue('Short');
      await scene.database.pool.query(
        `UPDATE api_keys SET expires_at = clock_timestamp() + interval '1 hour' WHERE id = $1`,
        [id],
      );
      const page = await scene.openAhead(await scene.person({ role: 'admin' }), `${PATH}?id=${id}`, 3);
      const entry = page.getByRole('link', { name: /^Short/ });
      await entry.getByText(/until/).waitFor();
      expect(await entry.getByText('Expired').count()).toBe(0);
      const soon = new Date(Date.now() + 2 * 3_600_000 - new Date().getTimezoneOffset() * 60_000);
      await page.getByLabel('Expires').fill(soon.toISOString().slice(0, 16));
      await page.getByRole('button', { name: 'Save' }).click();
      await scene.confirm(page);
      await page.getByRole('status').getByText('The key is changed.').waitFor();
      scene.expectQuiet(page, { refusals: true });
    },
  );

  inChromium('shows hostile names as text, fits every screen, and has nothing that axe finds', async () => {
    const { id } = await issue(HOSTILE);
    await scene.expectFitForAll(admin, {
      [PATH]: { en: 'API keys', ru: 'Ключи API' },
      [`${PATH}?id=${id}`]: { en: HOSTILE, ru: HOSTILE },
    });
  });
});
