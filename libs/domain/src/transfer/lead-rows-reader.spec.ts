import type { ImportRow } from '@app/persistence/transfer/import.entity';
import { columnsOf, LeadRowsReader } from './lead-rows-reader';
import { UnusableLeadsError, type FileRow } from './lead-file.port';
import { chunksOf } from './lead-imports.service';

const refusalOf = (header: string[]): unknown => {
  try {
    columnsOf(header);
  } catch (error) {
    if (error instanceof UnusableLeadsError) return error.details[0];
  }
  throw new Error('the header was not refused');
};

describe('a header', () => {
  it('names the columns in any order and letter case, in English or Russian', () => {
    expect(columnsOf(['Name', 'PHONE', ''])).toEqual({
      ...{ places: { name: 0, phone: 1 }, width: 2, ignored: [] },
    });
    expect(columnsOf(['телефон', 'Имя', 'Статус', 'Ответственный'])).toMatchObject({
      places: { phone: 0, name: 1, status: 2, assignee: 3 },
    });
  });

  it('may have columns that are not known: those with a name are told, as far as they can be shown', () => {
    expect(columnsOf(['phone', 'city', '', 'a\u0000\nb', `${'x'.repeat(99)}🦔`, 'name', ''])).toEqual({
      ...{ places: { phone: 0, name: 5 }, width: 6 },
      ignored: ['city', 'a  b', 'x'.repeat(99)],
    });
    const many = Array.from({ length: 120 }, (_, n) => `column ${n}`);
    expect(columnsOf([...many, 'phone']).ignored).toEqual(many.slice(0, 100));
  });

  it('with a column twice, or none for phones, is refused, and told what it has', () => {
    expect(refusalOf(['phone', 'телефон'])).toEqual({
      ...{ path: 'file', reason: 'column_twice', values: { column: 'phone' } },
      message: 'has the column phone twice',
    });
    const found = '"name", "", "status"';
    expect(refusalOf(['name', '', 'status'])).toEqual({
      ...{ path: 'file', reason: 'no_phone_column', values: { found } },
      message: expect.stringMatching(new RegExp(`^has no column phone: .*${found}$`)),
    });
  });
});

describe('a row', () => {
  const reader = (): LeadRowsReader =>
    new LeadRowsReader({ places: { phone: 0, name: 1, status: 2, assignee: 3 }, width: 4 }, 'KZ');
  const readAll = (...rows: string[][]): ImportRow[] => {
    const own = reader();
    return rows.map((cells, n) => own.read({ row: n + 2, cells, isMalformed: false }));
  };
  const faultsOf = (...cells: string[]): unknown => readAll(cells)[0]?.faults?.map(({ column }) => column);

  it('is not taken in where bytes of it were no text', () => {
    expect(readAll(['+77010000001', 'А\ufffd'])).toEqual([
      { row: 2, faults: [expect.objectContaining({ column: null, reason: 'unreadable' })] },
    ]);
  });

  it('has its phone in any form that people write, and only the cells that are filled', () => {
    expect(
      readAll(['8 (701) 000-00-01', '', '', ''], ["'+7 701 000 00 02", "'=Аида", 'Новый', 'a@b.kz']),
    ).toEqual([
      { row: 2, phone: '+77010000001', contact: '+77010000001' },
      {
        ...{ row: 3, phone: '+77010000002', contact: '+77010000002' },
        ...{ name: '=Аида', status: 'Новый', assignee: 'a@b.kz' },
      },
    ]);
  });

  it('is told all that is wrong with it', () => {
    expect(faultsOf('', 'a\nb', '\u0000', 'x'.repeat(2_000))).toEqual([
      'phone',
      'name',
      'status',
      'assignee',
    ]);
    expect(
      readAll(['7,7011E+10'], ['12345'], ['84912340002'], ['']).map((row) => row.faults?.[0]),
    ).toMatchObject([
      {
        column: 'phone',
        reason: 'not_valid',
        values: { rounded: 1 },
        message: expect.stringContaining('rounded by a spreadsheet'),
      },
      { column: 'phone', reason: 'too_short', values: {} },
      { column: 'phone', reason: 'ambiguous', values: {} },
      { column: 'phone', reason: 'empty', values: {} },
    ]);
    expect(faultsOf('+77010000001', '', '', '', 'more')).toEqual([null]);
    expect(reader().read({ row: 2, cells: ['+77010000001'], isMalformed: true }).faults).toHaveLength(1);
  });

  it('with the phone of an earlier one is a fault that names it, in whatever form the phone is written', () => {
    const [, , again, brazil] = readAll(
      ['+77010000001'],
      ['+5511987654321'],
      ['87010000001'],
      ['+551187654321'],
    );
    expect([again?.faults?.[0], brazil?.faults?.[0]]).toEqual(
      [2, 3].map((row) => ({
        ...{ column: 'phone', reason: 'duplicate', values: { row } },
        message: `is the phone of row ${row}, which counts`,
      })),
    );
  });
});

it('rows are stored in chunks of a hundred in their order, and one row too many is refused', async () => {
  async function* rows(count: number): AsyncGenerator<FileRow[]> {
    for (let n = 0; n < count; n += 777)
      yield Array.from({ length: Math.min(777, count - n) }, (_, at) => ({
        ...{ row: n + at + 2, cells: [], isMalformed: false },
      }));
  }
  const stored: ImportRow[][] = [];
  for await (const some of chunksOf(rows(5_050), ({ row }) => ({ row })))
    for (const { firstRow, rows: own } of some) {
      expect(firstRow).toBe(own[0]?.row);
      stored.push([...own]);
    }
  expect(stored.flat().map(({ row }) => row)).toEqual(Array.from({ length: 5_050 }, (_, n) => n + 2));
  expect(Math.max(...stored.map(({ length }) => length))).toBe(100);
  const all = async (count: number): Promise<number> => {
    let sum = 0;
    for await (const some of chunksOf(rows(count), ({ row }) => ({ row }))) sum += some.length;
    return sum;
  };
  expect(await all(100_000)).toBe(1_000);
  await expect(all(100_001)).rejects.toThrow('more than 100000 rows');
});
