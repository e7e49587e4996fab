import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { TransferClient } from '../support/clients/transfer.client';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { setSettingsScene } from '../support/scenes/settings.scene';

const PATH = '/import';

const scene = setSettingsScene({ stages: [{ name: 'New' }, { name: 'Paid' }] });
let operator: MonitorPerson;

beforeAll(async () => {
  await scene.account.connect();
  operator = await scene.person();
});

const choose = (page: Page, csv: string | Buffer): Promise<void> =>
  page
    .locator('main input[type=file]')
    .setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });

/** Chooses a file on the page and has it checked. */
async function check(page: Page, csv: string | Buffer): Promise<void> {
  await choose(page, csv);
  await page.getByRole('button', { name: 'Check the file' }).click();
}

const countOf = (page: Page, name: string): Promise<string> =>
  page.locator(`[data-count-of=${name}] dd`).innerText();

/** What a screen reader is told of the progress. */
const announcedOn = (page: Page): Promise<string> => page.locator('main [role=status]').innerText();

const stagesByPhone = async (phones: readonly string[]): Promise<unknown[]> => {
  const { rows } = await scene.database.pool.query<{ phone: string; stage: string | null }>(
    `SELECT t.phone, s.name AS stage FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
      WHERE t.account_id = $1 AND t.phone = ANY($2) ORDER BY t.phone`,
    [scene.account.id, phones],
  );
  return rows.map(({ phone, stage }) => [phone, stage]);
};

/** The text of the file that a button has the browser save. */
async function savedBy(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFile(await download.path(), 'utf8');
}

describe(`an import on the page (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'is checked first, with faults by row and column, then done, and shown after a reload',
    async () => {
      const page = await scene.openAs(operator, scene.boardPath);
      await page.getByRole('button', { name: 'Import and export' }).click();
      await page.getByRole('menuitem', { name: 'Import leads from a file' }).click();
      await page.getByRole('heading', { name: 'Import of leads' }).waitFor();
      const phones = ['+77015550801', '+77015550802'];
      await check(page, `phone;status;city\n${phones[0]};paid;\n${phones[1]};\n12;\n+77015550803;Nowhere`);
      await page.getByRole('heading', { name: 'The file is checked' }).waitFor();
      expect([await countOf(page, 'created'), await countOf(page, 'faulty')]).toEqual(['2', '2']);
      expect(await announcedOn(page)).toBe('The file is checked: nothing has changed yet');
      await page.getByText('Columns that were not read: city').waitFor();
      await page.getByRole('row', { name: '4 phone The phone has too few digits.' }).waitFor();
      await page.getByRole('row', { name: '5 status The agent has no such stage.' }).waitFor();
      const faults = await savedBy(page, () => page.getByRole('button', { name: 'Faults as CSV' }).click());
      expect(faults).toContain('\r\n5,status,The agent has no such stage.');
      expect(await stagesByPhone(phones)).toEqual([]);
      await page.getByRole('button', { name: 'Import 2 rows' }).click();
      await page.getByRole('heading', { name: 'The leads are imported' }).waitFor();
      expect(await stagesByPhone(phones)).toEqual([
        [phones[0], 'Paid'],
        [phones[1], null],
      ]);
      await page.reload();
      await page.getByRole('heading', { name: 'The leads are imported' }).waitFor();
      expect(await countOf(page, 'created')).toBe('2');
      await page.getByRole('link', { name: 'To the board' }).click();
      await page.getByRole('listitem').filter({ hasText: '+7 701 555 08 01' }).waitFor();
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength(
    'tells how many runs and messages would start, and wants the file again after a reload',
    async () => {
      await scene.account.addScenario(scene.stage(1), true, [{ kind: 'send_text', text: 'Hello' }] as never);
      const page = await scene.openAs(operator, PATH);
      await page.getByRole('switch', { name: 'Start the scenarios of the stages' }).click();
      await check(page, 'phone,status\n+77015550811,Paid\n+77015550812,Paid');
      await page.getByRole('heading', { name: 'The file is checked' }).waitFor();
      expect([await countOf(page, 'runs'), await countOf(page, 'messages')]).toEqual(['2', '2']);
      await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
      await page.reload();
      await page.getByText('Choose the file again to import it').waitFor();
      expect(await page.getByRole('button', { name: 'Import 2 rows' }).count()).toBe(0);
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('says why a file as a whole cannot be used, and that one is needed', async () => {
    const page = await scene.openAs(operator, PATH);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('alert').getByText('Choose a file.').waitFor();
    await page.getByRole('button', { name: /, your account$/ }).click();
    await page.getByText('Русский').click();
    await page.getByRole('alert').getByText('Выберите файл.').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, 'name,birthday\nAida,1 May');
    await page.getByRole('button', { name: 'Проверить файл' }).click();
    await page
      .getByRole('alert')
      .getByText('Этот файл не подходит: в нём нет столбца phone («Телефон»), а есть "name", "birthday".')
      .waitFor();
    expect(new URL(page.url()).pathname).toBe(PATH);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('asks for the encoding of a file whose words do not tell it', async () => {
    const page = await scene.openAs(operator, PATH);
    // "Ян" in Windows-1251, which would be "ßí" in Windows-1252.
    await check(page, Buffer.from('phone,name\n+77015550851,\u00df\u00ed', 'latin1'));
    await page.getByRole('alert').getByText('how it is written cannot be told from its words').waitFor();
    await page.getByRole('combobox', { name: 'Encoding of the file' }).click();
    await page.getByRole('option', { name: 'Windows-1251' }).click();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'The leads are imported' }).waitFor();
    const { body } = await scene.api.getThreads({ phones: ['+77015550851'] });
    expect(body.data.threads).toMatchObject([{ customer_name: 'Ян' }]);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('calls nobody back from another page: a notice leads to what was begun', async () => {
    const page = await scene.openAs(operator, PATH);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/leads/import', async (route) => {
      await held.promise;
      await route.continue();
    });
    await check(page, 'phone,status\n+77015550841,Paid');
    await page.getByRole('link', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Send a template' }).waitFor();
    held.resolve();
    const notice = page.getByRole('status').filter({ hasText: 'The file is being checked' });
    await notice.waitFor();
    expect(new URL(page.url()).pathname).toBe('/send');
    await notice.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { name: 'The file is checked' }).waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('is cancelled under way, and keeps what was taken in', async () => {
    const client = new TransferClient(scene.api);
    const rows = Array.from({ length: 20_000 }, (_, row) => `+7702${String(row).padStart(7, '0')}`);
    const { body } = await client.import(['phone', ...rows].join('\n'), {
      ...{ assistant_id: scene.account.assistantId, bot_id: scene.account.botId },
      channel: 'waba_coexistence',
    });
    const page = await scene.openAs(operator, `${PATH}?id=${String(body.data.import_id)}`);
    await page.getByRole('heading', { name: 'The leads are being imported' }).waitFor();
    expect(await announcedOn(page)).toMatch(/^Progress of the import: \d?0%$/);
    await page.getByRole('button', { name: 'Cancel the import' }).click();
    await page
      .getByRole('dialog', { name: 'Cancel the import' })
      .getByRole('button', { name: 'Cancel the import' })
      .click();
    await page.getByRole('heading', { name: 'The import was cancelled' }).waitFor();
    await page.getByText('What was taken in before stays.').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('is not shown to those who may not see it', async () => {
    const page = await scene.openAs(operator, `${PATH}?id=01930000-0000-7000-8000-0000000000aa`);
    await page.getByText('There is no such import, or it is not yours.').waitFor();
    await page.getByRole('link', { name: 'Another file' }).click();
    await page.getByRole('heading', { name: 'Import of leads' }).waitFor();
    scene.expectQuiet(page, { refusals: true });
  });
});

describe(`an export on the page (${CHROMIUM_NEEDED})`, () => {
  inChromium('has the leads that the board’s filters let through, after the password', async () => {
    await scene.account.addThread({ phone: '+77015550831', waitingMinutes: 5 });
    await scene.account.addThread({ phone: '+77015550832' });
    const page = await scene.openAs(await scene.person(), `${scene.boardPath}?waiting=true`);
    await page.getByRole('button', { name: 'Import and export' }).click();
    const text = await savedBy(page, async () => {
      await page.getByRole('menuitem', { name: 'Export these leads as CSV' }).click();
      await scene.confirm(page);
    });
    expect(text).toMatch(/^\uFEFFphone,name,status,assignee\r?\n\+77015550831,/);
    expect(text).not.toContain('+77015550832');
    await page.getByRole('status').getByText('The file is written.').waitFor();
    scene.expectQuiet(page, { refusals: true });
  });
});
