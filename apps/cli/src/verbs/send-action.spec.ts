import { UsageError } from '../cli.errors';
import { recipientsOf } from './send-action';

it('a short list is read as a spreadsheet writes it, with a line end behind its last row', () => {
  const read = recipientsOf(Buffer.from('phone;name\r\n+77010000001;Анна\r\n'), []);
  expect(read).toEqual([{ phone: '+77010000001', params: ['Анна'] }]);
});

it('a list is read in the letters of Western Europe, and in the encoding that is named', () => {
  const jose = Buffer.from('phone,name\n+34911234567,José', 'latin1');
  expect(recipientsOf(jose, [])).toEqual([{ phone: '+34911234567', params: ['José'] }]);
  expect(recipientsOf(jose, [], null, 'windows-1251')[0]?.params).toEqual(['Josй']);
  const both = Buffer.concat([jose, Buffer.from([0x20, 0xc9, 0xee, 0xe4])]);
  expect(() => recipientsOf(both, [])).toThrow(
    'give --encoding utf-8 or utf-16 or windows-1251 or windows-1252',
  );
});

it.each([
  ['a row with more cells than the header', 'phone,name\n+77010000001,a\n+77010000002,b,c\n', 'Row 3'],
  ['a quote that is not closed', 'phone,name\n+77010000001,a\n+77010000002,"b\n+77010000003,c', 'Row 3'],
  ['a column that stands twice', 'phone,Name,name\n+77010000001,a,b\n', 'the column name twice'],
  ['a phone that nobody has', 'phone,name\n+77010000001,a\n+77030000001,b', 'Row 3'],
  [
    'bytes that are no text',
    Buffer.concat([Buffer.from('phone,name\n+77010000001,Жанна\n+77010000002,А'), Buffer.from([0xc9, 10])]),
    'Row 3',
  ],
])('no list is read from a file with %s', (_what, content, told) => {
  expect(() => recipientsOf(Buffer.from(content), [])).toThrow(UsageError);
  expect(() => recipientsOf(Buffer.from(content), [])).toThrow(told);
});
