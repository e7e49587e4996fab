import { randomUUIDv7 } from 'node:crypto';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, SENDER, setSettingsScene } from '../support/scenes/settings.scene';
import { CloudNumber, cloudBody } from '../support/stand-ins/cloud.webhooks';

const PATH = '/settings/webhooks';

const scene = setSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

/**
 * Keeps a piece aside, as the job does that takes webhooks apart. Its webhook is not there any more.
 * @param path empty: the piece is the whole webhook
 */
async function reject(reason: string, item: string, path: string = randomUUIDv7()): Promise<void> {
  await scene.database.pool.query(
    `INSERT INTO webhook_rejects (id, account_id, provider, bot_id, delivery_id, path, reason, item, received_at)
     VALUES ($1, $2, 'cloud', $3, -1, $6, $4, $5, now())`,
    [randomUUIDv7(), scene.account.id, scene.account.botId, reason, Buffer.from(item), path],
  );
}

describe(`webhooks in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows why a piece could not be taken in, and its text on demand', async () => {
    await reject('"id" is missing', '{"type":"text","body":"Сәлем"}');
    const page = await scene.openAs(admin, PATH);
    const piece = page.getByRole('listitem').filter({ hasText: '"id" is missing' });
    await piece.getByText('Text of the piece').click();
    await piece.getByText('"body": "Сәлем"').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('tells that a piece could not be taken in again, and keeps it', async () => {
    await reject('of a number that is not connected', '{"n":1}');
    const page = await scene.openAs(admin, PATH);
    await page.getByRole('button', { name: 'Take it in again: of a number that is not connected' }).click();
    await page.getByRole('alert').getByText('It could not be taken in.').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('takes a piece in again once it can be read, and keeps it no longer', async () => {
    const from = { phone: '77015550701', name: 'Салтанат' };
    const message = new CloudNumber(SENDER).message(from, 'Дошло со второго раза');
    await reject('of a kind that is known now', cloudBody([message]), '');
    const page = await scene.openAs(admin, PATH);
    const retry = page.getByRole('button', { name: 'Take it in again: of a kind that is known now' });
    await retry.click();
    await page.getByRole('status').getByText('It is taken in.').waitFor();
    await retry.waitFor({ state: 'detached' });
    const { rows } = await scene.database.pool.query('SELECT phone, customer_name FROM threads');
    expect(rows).toEqual([{ phone: '+77015550701', customer_name: 'Салтанат' }]);
    scene.expectQuiet(page);
  });

  inChromium('deletes a piece once it was asked for again', async () => {
    await reject('to be deleted', '{"n":2}');
    const page = await scene.openAs(admin, PATH);
    await page.getByRole('button', { name: 'Delete: to be deleted' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this piece?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('The piece is deleted.').waitFor();
    await page.getByRole('button', { name: 'Delete: to be deleted' }).waitFor({ state: 'detached' });
    const { rows } = await scene.database.pool.query(
      `SELECT 1 FROM webhook_rejects WHERE reason = 'to be deleted'`,
    );
    expect(rows).toEqual([]);
    scene.expectQuiet(page);
  });

  inChromium('is for admins', async () => {
    await scene.expectForAdmins(PATH);
  });

  inChromium('shows hostile texts as text, fits every screen, and has nothing that axe finds', async () => {
    await reject(HOSTILE, HOSTILE);
    await scene.expectFitForAll(admin, PATH, {
      ...{ en: 'Webhooks that could not be taken in', ru: 'Непринятые вебхуки' },
    });
  });
});
