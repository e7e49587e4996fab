import type { CsvAnswer, CsvQuestion, CsvTable } from './csv-types';

let ask: (event: { data: CsvQuestion }) => void;
let answer: CsvAnswer;

beforeAll(async () => {
  Object.assign(globalThis, {
    addEventListener: (_: string, listener: typeof ask) => (ask = listener),
    postMessage: (told: CsvAnswer) => (answer = told),
  });
  await import('./csv.worker');
});

function read(content: string | Buffer, chosen: Partial<CsvQuestion> = {}): CsvTable {
  const bytes = Uint8Array.from(Buffer.from(content as string)).buffer;
  ask({ data: { id: 1, bytes, encoding: null, delimiter: null, ...chosen } });
  if ('failure' in answer) throw new Error(answer.failure);
  return answer.table;
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

const WRITTEN: [string, string, string, Buffer][] = [
  ['UTF-8 with semicolons', 'UTF-8', ';', Buffer.from(list(';'))],
  ['UTF-8 with its mark and commas', 'UTF-8', ',', Buffer.from(`\uFEFF${list(',')}`)],
  ['UTF-16 with tabs', 'UTF-16 LE', '\t', utf16(list('\t'))],
  ['UTF-16 the other way round', 'UTF-16 BE', ';', utf16(list(';')).swap16()],
  ['UTF-16 without a mark', 'UTF-16 LE', ',', utf16(list(',')).subarray(2)],
  ['Windows-1251 with semicolons', 'Windows-1251', ';', windows1251(list(';'))],
  ['Windows-1251 with tabs', 'Windows-1251', '\t', windows1251(list('\t'))],
];

describe('a file of recipients', () => {
  it.each(WRITTEN)('is read as %s', (_, encoding, delimiter, content) => {
    expect(read(content)).toMatchObject({
      ...{ delimiter, fault: null, isCut: false, header: ['Имя', 'Телефон', 'Время'] },
      rows: [
        { row: 2, cells: ['Айгерим', '+77010000101', '10:00'] },
        { row: 3, cells: ['Юлия', '8 (701) 000-01-02', '11:30'] },
      ],
    });
    expect(read(content).encoding?.toUpperCase().replace(/[-_ ]/g, '')).toBe(
      encoding.toUpperCase().replace(/[-_ ]/g, ''),
    );
  });

  it('is read in the letters of Western Europe, and not at all where its words do not tell', () => {
    const latin = Buffer.from('phone;name\n+34911234567;José', 'latin1');
    expect(read(latin)).toMatchObject({
      encoding: 'windows-1252',
      rows: [{ cells: ['+34911234567', 'José'] }],
    });
    const both = Buffer.concat([latin, Buffer.from('\n1;'), windows1251('Айгерим')]);
    expect(read(both)).toMatchObject({ encoding: null, header: [], rows: [] });
    expect(read(both, { encoding: 'windows-1251' }).rows.at(-1)?.cells).toEqual(['1', 'Айгерим']);
  });

  it('is read as the person says', () => {
    expect(read(list(';'), { encoding: 'windows-1251' }).rows[0]?.cells[0]).toMatch(/^РђР№/);
    expect(read('a;b,c\n1;2,3', { delimiter: ',' }).header).toEqual(['a;b', 'c']);
  });

  it('has the rows that a spreadsheet counts, whatever breaks within them', () => {
    const content = [
      'phone;note',
      '1;"two\nlines"',
      ';',
      '2;"a ""quoted"" word"',
      '3;"x\r\ny\r\nz"',
      '4;last',
    ];
    expect(read(content.join('\n')).rows).toEqual([
      { row: 2, cells: ['1', 'two\nlines'] },
      { row: 4, cells: ['2', 'a "quoted" word'] },
      { row: 5, cells: ['3', 'x\r\ny\r\nz'] },
      { row: 6, cells: ['4', 'last'] },
    ]);
  });

  it.each([
    ['quotes within a cell', '1;"Ромашка" ТОО\n2;b\n3;"c"'],
    ['a quote that stays open', '1;"open\n2;b'],
    ['more cells than heads', '1;b;c\n'],
    ['bytes of no encoding', Buffer.concat([Buffer.from('1;Ая'), Buffer.from([0xd0, 0x0a])])],
  ])('is not taken where its rows may be read wrong: %s', (_, rest) => {
    const content = Buffer.concat([Buffer.from('phone;name\n+77010000811;a\n'), Buffer.from(rest as string)]);
    expect(read(content)).toMatchObject({ fault: { row: 3 }, rows: [] });
  });

  it('has at most a hundred thousand rows', () => {
    const rows = Array.from({ length: 100_001 }, (_, n) => `+7702${String(n).padStart(7, '0')}`);
    const table = read(`phone\n${rows.join('\n')}`);
    expect([table.rows.length, table.isCut]).toEqual([100_000, true]);
  });
});
