import { ApiClient } from '../../support/clients/api.client';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { setSettingsScene } from '../../support/scenes/settings.scene';

const PATH = '/settings/keys';

const scene = setSettingsScene();

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
  inChromium('gives a key a new secret, and says until when the old one is good', async () => {
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

  inChromium('revokes a key for good', async () => {
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

  inChromium('does nothing without the password', async () => {
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

  inChromium('knows what is over by the server’s clock, where the browser’s is hours off', async () => {
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
  });
});
