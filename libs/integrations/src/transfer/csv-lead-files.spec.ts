import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodingChoice } from '@app/contracts/values/text-encoding';
import { UnsureEncodingError, UnusableLeadsError, type FileRow } from '@app/domain/transfer/lead-file.port';
import { CsvLeadFiles } from './csv-lead-files';

const COLUMNS = ['phone', 'name', 'status'];
const files = new CsvLeadFiles();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leads-'));
});

afterAll(() => rm(folder, { recursive: true }));

let written = 0;

async function read(
  bytes: Buffer | string,
  encoding: EncodingChoice | null = null,
): Promise<{ header: readonly string[]; rows: FileRow[] }> {
  const path = join(folder, String((written += 1)));
  await writeFile(path, bytes);
  await using table = await files.open(path, encoding, (name) => COLUMNS.includes(name.toLowerCase()));
  const all: FileRow[] = [];
  for await (const some of table.rows) all.push(...some);
  return { header: table.header, rows: all };
}

const cellsOf = async (bytes: Buffer | string): Promise<(string | number)[][]> =>
  (await read(bytes)).rows.map(({ row, cells }) => [row, ...cells]);

const refusal = async (bytes: Buffer | string): Promise<unknown> => {
  const error: unknown = await read(bytes).catch((refused: unknown) => refused);
  if (!(error instanceof UnusableLeadsError)) throw new Error('it was not refused', { cause: error });
  expect(error.details).toHaveLength(1);
  return error.details[0];
};

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** "Ёжик" and "Йод" in Windows-1251. */
const YOZHIK = Buffer.from([0xa8, 0xe6, 0xe8, 0xea]);
const YOD = Buffer.from([0xc9, 0xee, 0xe4]);

it('finds the encoding: UTF-8 with or without its mark, UTF-16 either way round, Windows-1251', async () => {
  const text = 'phone,name\n+77010000001,Ёжик\n';
  const expected = [[2, '+77010000001', 'Ёжик']];
  expect(await cellsOf(text)).toEqual(expected);
  expect(await cellsOf(`\uFEFF${text}`)).toEqual(expected);
  expect(await cellsOf(utf16(`\uFEFF${text}`))).toEqual(expected);
  expect(await cellsOf(utf16(`\uFEFF${text}`).swap16())).toEqual(expected);
  expect(await cellsOf(utf16(text))).toEqual(expected);
  const bytes = Buffer.concat([Buffer.from('phone,name\n+77010000001,'), YOZHIK, Buffer.from('\n')]);
  expect(await cellsOf(bytes)).toEqual(expected);
});

it('reads names of Western Europe, and any encoding that is named; what is not sure is refused', async () => {
  const named = (name: string): Buffer => Buffer.from(`phone,name\n1,${name}\n`, 'latin1');
  expect(await cellsOf(named('José'))).toEqual([[2, '1', 'José']]);
  expect(await cellsOf(named('Jürgen Groß'))).toEqual([[2, '1', 'Jürgen Groß']]);
  expect((await read(named('José'), 'windows-1251')).rows[0]?.cells).toEqual(['1', 'Josй']);
  expect((await read(utf16('phone,name\n1,Ж\n'), 'utf-16')).rows[0]?.cells).toEqual(['1', 'Ж']);
  expect((await read(utf16('\ufeffphone\n1\n').swap16(), 'utf-16')).rows[0]?.cells).toEqual(['1']);
  const both = Buffer.concat([named('José'), Buffer.from('2,'), YOZHIK, Buffer.from('\n')]);
  const refused: unknown = await read(both).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnsureEncodingError);
  expect((refused as UnsureEncodingError).details).toEqual([
    {
      ...{ path: 'encoding', reason: 'not_sure', message: expect.stringContaining('windows-1252') },
      values: { choices: 'utf-8, utf-16, windows-1251, windows-1252' },
    },
  ]);
});

it('some damaged bytes do not make a file of UTF-8 one of another encoding', async () => {
  const torn = Buffer.from('phone,name\n+77010000001,Жанна\n+77010000002,Ая').subarray(0, -1);
  const within = Buffer.concat([
    Buffer.from('phone,name\n+77010000001,Жанна\n+77010000002,А'),
    YOD,
    Buffer.from('\n'),
  ]);
  for (const bytes of [torn, within]) {
    const [whole, damaged] = await cellsOf(bytes);
    expect(whole).toEqual([2, '+77010000001', 'Жанна']);
    expect(damaged).toEqual([3, '+77010000002', expect.stringMatching(/^А\ufffd+$/)]);
  }
});

it('an alphabet that begins deep in a file still tells its encoding', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) => `+7701${String(n).padStart(7, '0')},x\n`).join('');
  const plain = Buffer.from(`phone,name\n${many}+77020000000,`);
  const ended = await cellsOf(Buffer.concat([plain, YOD, Buffer.from('\n')]));
  expect(ended.at(-1)).toEqual([20_002, '+77020000000', 'Йод']);
  expect((await cellsOf(Buffer.concat([plain, Buffer.from('Йод\n')]))).at(-1)).toEqual(ended.at(-1));
});

it.each([',', ';', '\t'])(
  'finds that %j separates the cells, also where others stand in texts',
  async (sign) => {
    const text = `phone${sign}name\n+77010000001${sign}"a, b; c\td"\n`;
    expect(await cellsOf(text)).toEqual([[2, '+77010000001', 'a, b; c\td']]);
    expect(await cellsOf(`sep=${sign}\r\n${text}`)).toEqual([[2, '+77010000001', 'a, b; c\td']]);
  },
);

it.each(['\n', '\r\n', '\r'])(
  'takes %j as the end of a line, within quotes as a part of the text',
  async (end) => {
    const lines = ['phone,name', '1,"a ""b""', 'c"', '', ' , ', '2,d'];
    // As a spreadsheet counts: empty rows count, and a text of two lines is in one row.
    expect(await cellsOf(lines.join(end))).toEqual([
      [2, '1', 'a "b"\nc'],
      [5, '2', 'd'],
    ]);
  },
);

it('a header is found under empty rows, and its rows are counted from the first of the file', async () => {
  const { header, rows } = await read('\n;;\n Phone ;NAME;\n1;a;\n');
  expect(header).toEqual(['Phone', 'NAME', '']);
  expect(rows.map(({ row }) => row)).toEqual([4]);
});

it('rows that come in many pieces are read as they are written', async () => {
  const rows = Array.from({ length: 9_000 }, (_, n) => [n + 2, String(n), `Имя "${n}"\n`.trim()]);
  const text = rows.map(([, phone, name]) => `${phone},"${String(name).replaceAll('"', '""')}"\r\n`).join('');
  expect(await cellsOf(`phone,name\r\n${text}`)).toEqual(rows);
});

it('quotes that cannot be right are told of their row, and the others are read', async () => {
  const { rows } = await read('phone,name\n1,"a"b"\n2,c\n');
  expect(rows.map(({ row, isMalformed }) => [row, isMalformed])).toEqual([
    [2, true],
    [3, false],
  ]);
});

it('a misplaced quote costs its own line alone: all others keep their rows and are read', async () => {
  const text = [
    ...['phone,name,status', '1,"Ромашка" ТОО,Новый', '2,Анна,Новый', '3,"Лютик",Новый', '4,"a', 'b",Новый'],
    ...['5,"open', '6,"Вера",x', '7,"a', 'b","c" d', '8,Борис,Нет такого', '9,"last" one'],
  ].join('\n');
  const { rows } = await read(text);
  expect(rows.map(({ row, cells, isMalformed }) => [row, isMalformed || cells[0]])).toEqual([
    ...[
      [2, true],
      [3, '2'],
      [4, '3'],
      [5, '4'],
      [6, true],
      [7, '6'],
      [8, true],
      [9, '8'],
      [10, true],
    ],
  ]);
  expect(rows.find(({ row }) => row === 5)?.cells).toEqual(['4', 'a\nb', 'Новый']);
});

it('misplaced quotes cost their own lines alone wherever the file is cut when it is read', async () => {
  const line = (n: number): string =>
    [`${n},"${'x'.repeat(n % 97)}" y`, `${n},"two\nlines" \t,z`, `${n},plain`][n % 3] ?? '';
  const numbers = Array.from({ length: 6_000 }, (_, n) => n + 2);
  const { rows } = await read(`phone,name,status\n${numbers.map(line).join('\n')}`);
  expect(rows.map(({ row }) => row)).toEqual(numbers);
  expect(rows.filter(({ row, isMalformed }) => isMalformed !== (row % 3 === 0))).toEqual([]);
  expect(rows.filter(({ row, isMalformed, cells }) => !isMalformed && cells[0] !== String(row))).toEqual([]);
  const far = await read(`phone,name\n1,"a" b\n${numbers.map((n) => `${n},${'x'.repeat(30)}\n`).join('')}`);
  expect(far.rows).toHaveLength(6_001);
});

it('what is no table of text is refused with the reason', async () => {
  const empty = { path: 'file', message: 'is empty', reason: 'empty', values: {} };
  expect(await refusal('')).toEqual(empty);
  expect(await refusal('\n \n')).toEqual(empty);
  expect(await refusal(Buffer.from([0x50, 0x4b, 3, 4, 20, 0]))).toMatchObject({
    ...{ reason: 'workbook', message: expect.stringContaining('save the sheet as CSV') },
  });
  expect(await refusal('phone,name\n1,a\n2,"b\n3,c\n')).toEqual({
    ...{ path: 'file', reason: 'open_quote', values: { row: 3, most: 100_000 } },
    message: 'row 3 has a quote that is not closed, or is longer than 100000 characters',
  });
  expect(await refusal('phone,"na"me\n1,a\n')).toMatchObject({
    ...{ reason: 'open_quote', values: { row: 1 } },
  });
  expect(await refusal(`phone,name\n1,"${'x\n'.repeat(200_000)}`)).toMatchObject({
    ...{ reason: 'open_quote', values: { row: 2 } },
  });
});
