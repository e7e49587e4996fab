import { guessName } from './column-guess';
import type { CsvTable } from './csv-types';

const table = (header: string[], ...cells: string[][]): CsvTable =>
  ({ header, rows: cells.map((each) => ({ cells: each })) }) as unknown as CsvTable;

it.each([
  'name',
  'Full name',
  'customer',
  'Customer name',
  'client',
  'Имя',
  'ФИО',
  'Имя клиента',
  'Клиент',
  'Покупатель',
])('a column called %s has the customers’ names', (name) => {
  expect(guessName(table(['phone', name], ['+77010000001', 'Dana']), 0)).toBe(1);
});

it('a column of numbers leaves the next one that is called so its names', () => {
  expect(guessName(table(['phone', 'client', 'Имя'], ['+77010000001', '10023', 'Дана']), 0)).toBe(2);
});

it.each([
  ['an identifier', 'customer_id', 'C-10023'],
  ['a number of the customer', 'Клиентский номер', 'A 10023'],
  ['a code', 'client code', 'XK'],
  ['a name of something else', 'Name of product', 'Cream'],
  ['numbers under the customer’s word', 'Клиент', '10023'],
])('%s is nobody’s name', (_, name, value) => {
  expect(guessName(table(['phone', name], ['+77010000001', value], ['+77010000002', value]), 0)).toBeNull();
});
