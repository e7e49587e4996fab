import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { csvFile, setSendPageScene, type TableFile } from '../support/scenes/send-page.scene';

const scene = setSendPageScene();

/** The rows of the table that is checked, each with its cells joined. */
const rowsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`
    Array.from(document.querySelectorAll('[data-index]'), (row) =>
      Array.from(row.querySelectorAll('[role=cell]'), (cell) => cell.textContent).join(' | '))`);

async function opened(template: string, file: TableFile): Promise<Page> {
  const page = await scene.openAs(await scene.person(), '/send');
  await scene.chooseFile(page, template, file);
  return page;
}

const list = (separator: string): string =>
  [
    ['Имя', 'Телефон', 'Время'],
    ['Айгерим', '+77010000101', '10:00'],
    ['Юлия', '8 (701) 000-01-02', '11:30'],
  ]
    .map((cells) => cells.join(separator))
    .join('\r\n');

/** Node has no encoder of it. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (char) => {
      const code = char.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x0410 + 0xc0;
    }),
  );
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string): Buffer => utf16(text).swap16();

describe(`a list from a file (${CHROMIUM_NEEDED})`, () => {
  const encodings: [string, string, string, Buffer][] = [
    ['UTF-8 with semicolons', 'UTF-8', 'Semicolon', Buffer.from(list(';'))],
    ['UTF-8 with its mark and commas', 'UTF-8', 'Comma', Buffer.from(`\uFEFF${list(',')}`)],
    ['UTF-16 with tabs', 'UTF-16 LE', 'Tab', utf16(list('\t'))],
    ['UTF-16 the other way round', 'UTF-16 BE', 'Semicolon', utf16be(list(';'))],
    ['UTF-16 without a mark', 'UTF-16 LE', 'Comma', utf16(list(',')).subarray(2)],
    ['Windows-1251 with semicolons', 'Windows-1251', 'Semicolon', windows1251(list(';'))],
    ['Windows-1251 with tabs', 'Windows-1251', 'Tab', windows1251(list('\t'))],
  ];
  for (const [name, encoding, separator, content] of encodings)
    (encoding === 'UTF-16 BE' ? inChromium : inChromiumAtLength)(
      `finds out how ${name} is written, shows it, and maps the columns`,
      async () => {
        const page = await opened('visit_reminder', csvFile(content));
        expect(await page.getByRole('combobox', { name: 'Encoding' }).inputValue()).toBe(encoding);
        expect(await page.getByRole('combobox', { name: 'Separator' }).inputValue()).toBe(separator);
        expect(await rowsOf(page)).toEqual([
          '2 | +77010000101 | Айгерим10:00 | ready',
          '3 | +77010000102 | Юлия11:30 | ready',
        ]);
        scene.expectQuiet(page);
      },
    );

  inChromium('is taken when it is dropped on the page', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    const dropped = await page.evaluateHandle<unknown>(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['phone\\n+77010000901'], 'dropped.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
    await page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByText('dropped.csv').waitFor();
    expect(await rowsOf(page)).toEqual(['2 | +77010000901 |  | ready']);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('is read anew in the encoding that the person chooses', async () => {
    const page = await opened('visit_reminder', csvFile(list(';')));
    await page.getByRole('combobox', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: 'Windows-1251' }).click();
    await page.getByText('РђР№').first().waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('asks for its encoding where its words do not tell it', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    await page.locator('input[type=file]').setInputFiles(csvFile(windows1251('phone;name\n+77010000811;Ян')));
    await page.getByRole('alert').getByText('cannot be told from its words').waitFor();
    await page.getByRole('combobox', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: 'Windows-1251' }).click();
    await eventually(async () => (await rowsOf(page)).length === 1, 10_000, 'the file was not read');
    expect(await rowsOf(page)).toEqual(['2 | +77010000811 |  | ready']);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('counts rows as a spreadsheet does, whatever breaks within them', async () => {
    const content = [
      ...['phone;note', '+77010000201;"two\nlines"', ';', 'none;"a ""quoted"" word"'],
      ...['"+77010000202";"x\r\ny\r\nz"', '12;last'],
    ].join('\n');
    const page = await opened('order_ready', csvFile(content));
    expect(await rowsOf(page)).toEqual([
      '2 | +77010000201 |  | ready',
      '4 | none |  | the phone has letters',
      '5 | +77010000202 |  | ready',
      '6 | 12 |  | the phone has too few digits',
    ]);
  });

  inChromiumAtLength('marks what would be refused, and shows only that if asked', async () => {
    const long = 'ы'.repeat(1_100);
    const content = [
      ...['phone;1;2', '+77010000301;Айгуль;15:30', '+77010000302;;15:30', `+77010000303;${long};9:00`],
      ...['+77010000304;"two\nlines";9:00', '+7701;Юлия;9:00', '7,70101E+10;Юлия;9:00', ';Юлия;9:00'],
    ].join('\n');
    const page = await opened('visit_reminder', csvFile(content));
    await page.getByText('1 is ready · 6 with faults').waitFor();
    await page.getByRole('switch', { name: 'Only what is marked' }).click();
    const rows = await eventually(
      async () => {
        const shown = await rowsOf(page);
        return shown.length === 6 && shown;
      },
      10_000,
      'not only the marked rows are shown',
    );
    expect(rows.map((row) => row.split(' | ').at(-1))).toEqual([
      'Variable 1: no value',
      'the text becomes too long',
      'Variable 1: line breaks, tabs and long blanks cannot be sent',
      'the phone has too few digits',
      'the spreadsheet has rounded the phone: give its column the format of text',
      'no phone',
    ]);
  });

  inChromiumAtLength('asks for its columns first, and counts faults only then', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'visit_reminder');
    await page.getByText('From a CSV file').click();
    const rows = ['phone;who;when;where', '+77010000701;Анна;10:00;Алматы', '+77010000702;;10:00;Алматы'];
    await page.locator('input[type=file]').setInputFiles(csvFile(rows.join('\n')));
    await page.getByText('To be chosen first: Variable 1, Variable 2.').waitFor();
    expect(await page.getByText(/with a fault|with faults/).count()).toBe(0);
    for (const [variable, column] of [
      ['Variable 1: from', 'who'],
      ['Variable 2: from', 'when'],
    ] as const) {
      await page.getByRole('combobox', { name: variable }).click();
      await page.getByRole('option', { name: column }).click();
    }
    await page.getByText('1 is ready · 1 with a fault').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength(
    'is refused with what to do where it is a workbook, empty, or begins with a phone',
    async () => {
      const page = await scene.openAs(await scene.person(), '/send');
      await scene.choose(page, 'order_ready');
      await page.getByText('From a CSV file').click();
      const chosen = page.locator('input[type=file]');
      await chosen.setInputFiles(csvFile(Buffer.from('PK\x03\x04\x14\0\x06\0'), 'clients.xlsx'));
      await page.getByText('This is a workbook, not a CSV file.').waitFor();
      await chosen.setInputFiles(csvFile(''));
      await page.getByText('The file is empty.').waitFor();
      await chosen.setInputFiles(csvFile('+77010000801\n+77010000802'));
      await page.getByText('but it has a phone: +77010000801').waitFor();
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('is not sent to where its rows may be read wrong, and says in which row', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    const chosen = page.locator('input[type=file]');
    const good = 'phone;name\n+77010000811;a\n';
    const damaged = Buffer.concat([Buffer.from(`${good}+77010000812;Ая`), Buffer.from([0xd0, 0x0a])]);
    for (const [content, told] of [
      [`${good}+77010000812;"Ромашка" ТОО\n+77010000813;b\n+77010000814;"c"`, 'Row 3: its quotes'],
      [`${good}+77010000812;"open\n+77010000813;b`, 'Row 3: its quotes'],
      [`${good}+77010000812;b;c\n`, 'Row 3: it has more cells'],
      [damaged, 'Row 3: it cannot be read'],
    ] as const) {
      await chosen.setInputFiles(csvFile(content));
      await page.getByRole('alert').filter({ hasText: told }).waitFor();
      expect(await page.getByRole('table', { name: 'Check' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
      await chosen.setInputFiles(csvFile(good));
      await page.getByRole('button', { name: 'Send to 1 recipient' }).waitFor();
    }
    scene.expectQuiet(page);
  });

  inChromiumAtLength('says so where the browser cannot read it any more', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    await page.evaluate(
      "File.prototype.arrayBuffer = () => Promise.reject(new DOMException('It is gone', 'NotReadableError'))",
    );
    await page.locator('input[type=file]').setInputFiles(csvFile('phone\n+77010000803'));
    await page.getByText('clients.csv: The file could not be read.').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('hands out the rows with faults, to be mended and sent after the rest', async () => {
    await scene.account.addThread({ phone: '+77010000903', optedOut: true });
    const content = [
      ...['phone;1;2', '+77010000901;Анна;9:00', '12;=1+1;9:00'],
      ...['8 701 000 09 01;;9:00', '+77010000903;;9:00', '+77010000903;Юлия;9:00'],
    ].join('\n');
    const page = await opened('visit_reminder', csvFile(content));
    await page.getByText('1 is ready · 2 with faults · 1 duplicate · 1 unsubscribed').waitFor();
    await scene.send(page);
    await page.getByRole('heading', { name: 'The list was sent' }).and(page.locator(':focus')).waitFor();
    await page.getByText('Left out: 2 with faults, 1 duplicate, 1 unsubscribed.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rows with faults as CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n')).toEqual([
      '\uFEFFphone,1,2,Why not sent',
      '12,"\'=1+1",9:00,the phone has too few digits',
      '+77010000903,,9:00,Variable 1: no value; unsubscribed',
    ]);
    await page.getByRole('button', { name: 'New list' }).click();
    const mended = csvFile(text.replace('\r\n12,', '\r\n+77010000902,'));
    await scene.chooseFile(page, 'visit_reminder', mended);
    await page.getByText('1 is ready · 1 with a fault').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('marks phones that stand twice, however they are written', async () => {
    const content = ['phone', '8 701 000 04 01', '+77010000401', '0077010000401', '+77010000402'].join('\n');
    const page = await opened('order_ready', csvFile(content));
    await page.getByText('2 are ready · 2 duplicates').waitFor();
    expect((await rowsOf(page)).slice(1, 3)).toEqual([
      '3 | +77010000401 |  | same phone as in row 2',
      '4 | +77010000401 |  | same phone as in row 2',
    ]);
  });

  inChromium('gives customers the names of the file', async () => {
    await scene.account.addThread({ phone: '+77010000521' });
    const content = 'Имя;Телефон\nАйгерим;+77010000521\n;+77010000522\n=Юлия;+77010000523';
    const page = await opened('order_ready', csvFile(content));
    expect(await page.getByRole('combobox', { name: 'Customer’s name' }).inputValue()).toBe('Имя');
    await scene.send(page);
    const names = async (): Promise<(string | null)[]> => {
      const { rows } = await scene.database.pool.query<{ name: string | null }>(
        `SELECT name_override AS name FROM threads WHERE phone LIKE '+7701000052_' ORDER BY phone`,
      );
      return rows.map(({ name }) => name);
    };
    await eventually(async () => typeof (await names())[2] === 'string', 20_000, 'nobody was named');
    expect(await names()).toEqual(['Айгерим', null, '=Юлия']);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('marks and leaves out who has unsubscribed', async () => {
    await scene.account.addThread({ phone: '+77010000501', optedOut: true });
    await scene.account.addThread({ phone: '+77010000502' });
    const page = await opened('order_ready', csvFile('phone\n+77010000501\n+77010000502\n+77010000503'));
    await page.getByText('2 are ready · 1 unsubscribed').waitFor();
    expect((await rowsOf(page))[0]).toBe('2 | +77010000501 |  | unsubscribed');
    await page.getByRole('checkbox', { name: 'Leave the unsubscribed out' }).uncheck();
    await page.getByRole('button', { name: 'Send to 3 recipients' }).waitFor();
  });

  inChromiumAtLength('shows hostile cells as text and nothing else', async () => {
    const hostile = '<img src=x onerror="document.title=1">';
    const content = `phone;1;2\n+77010000601;"${hostile.replaceAll('"', '""')}";\u202Eabc`;
    const page = await opened('visit_reminder', csvFile(content));
    expect((await rowsOf(page))[0]).toContain(hostile);
    expect(await page.locator('[data-preview]').textContent()).toContain(hostile);
    expect(await page.locator('[data-preview] img').count()).toBe(0);
    scene.expectQuiet(page);
  });

  inChromium('of a hundred thousand rows keeps but those in the document that are seen', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => `+7702${String(n).padStart(7, '0')}`);
    const page = await opened('order_ready', csvFile(`phone\n${rows.join('\n')}`));
    await page.getByText('100,000 rows').waitFor();
    expect(await page.locator('[data-index]').count()).toBeLessThan(60);
  });
});
