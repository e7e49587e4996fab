import { finds } from '@app/persistence/threads/thread-search.statements';
import { createDatabase, type TestDatabase } from '../../../../test/support/database/test.database';
import { describeDialogs, searchQuery } from './search.words';
import { HOSTILE_WORDS } from '../../../../test/support/clients/hostile.words';

const ACCOUNT = '0192f0c4-7b7e-7cc2-9a3e-3f0d2b1a9c11';

/** What is kept of a dialog, as far as it is found by it. */
interface Kept {
  name?: string;
  phone?: string;
  said?: string[];
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database?.drop());

/** Whether PostgreSQL finds a dialog, by what is stored of it and what a search is for. */
async function isFound(search: string, { name, phone, said = [] }: Kept): Promise<boolean> {
  const query = searchQuery(ACCOUNT, search);
  const [stored] = describeDialogs(ACCOUNT, [
    {
      ...{ id: 'thread', phone: phone ?? null, customer_name: name ?? null },
      said: said.map((text) => ({ type: 'text', text, content: {}, transcript: null })),
    },
  ]);
  const { rows } = await database.pool.query<{ found: boolean }>(
    `SELECT ${finds('d', '$3')} AS found
       FROM (SELECT array_to_tsvector($1::text[]) AS customer_words, array_to_tsvector($2::text[]) AS words) d`,
    [stored?.customer_words, stored?.words, query ?? ''],
  );
  return query !== null && rows[0]?.found === true;
}

it.each([
  ['айгер', 'Айгерим'],
  ['АЙГЕР', 'Айгерим'],
  ['айгер', 'Айгерим'.normalize('NFD')],
  ['гүлнұр', 'ГҮЛНҰР Әбдірахман'],
  ['әбдір гүл', 'Гүлнұр Әбдірахман'],
  ['алена', 'Алёна'],
  ['ЁЛК', 'новая елка'],
  ['еж', 'Ёжик'.normalize('NFD')],
  ['straße', 'HAUPTPLATZ STRASSE 5'],
  ['STRASSE', 'die Straße'],
  ['σίσυφοσ', 'ΣΊΣΥΦΟΣ'],
  ['скид 50%_', 'скидка 50%_'],
  ['(a.*c) | !', 'c a'],
  ["o'brien", "O'Brien"],
  ['\\d', 'c:\\d'],
  ['👍', 'ок 👍'],
  ['я', 'Ярослав'],
  ['Я о', 'ольга ярко'],
  ['x'.repeat(90), `${'x'.repeat(95)} y`],
  ['日本', '日本語'],
])('a search for %s finds %s, in a name and in a message', async (search, text) => {
  expect(await isFound(search, { name: text })).toBe(true);
  expect(await isFound(search, { said: [`… ${text} …`, 'later words'] })).toBe(true);
  expect(await isFound(search, { name: 'nobody' })).toBe(false);
});

it.each([
  ['герим', 'Айгерим'],
  ['a.*c', 'abb'],
  ['ı', 'i'],
  ['айгерим2', 'Айгерим'],
  ['анна пётр', 'Анна'],
  ['***=', 'a***=b'],
  ['й', 'Айгерим'],
])('a search for %s does not find %s', async (search, name) => {
  expect(await isFound(search, { name })).toBe(false);
});

it.each([
  ...[
    '7015551001',
    '+7 701 555-10-01',
    '(701) 555',
    '5510',
    '001',
    '770',
    '70',
    '01',
    '55',
    '5',
    '5 5',
    '0 1',
  ],
  ...['87015551001', '8 (701) 555-10-01', '8-701-555-10-01', '8 701 555–10–01', '8 701 555‑10—01'],
  ...['8/701/555/10/01', '8\u00a0701\u202f555\u00a010\u00a001', '\u202a8 701 555-10-01\u202c'],
  ...['8,701,555−10_01', 'tel:+77015551001', 'TEL: +7-701-555-10-01', '0077015551001', '00 7 701 555 10 01'],
])('a search for %s finds a phone', async (search) => {
  expect(await isFound(search, { phone: '+77015551001' })).toBe(true);
  expect(await isFound(search, { phone: '+73328884444' })).toBe(false);
});

it.each([
  ['89', true],
  ['9', true],
  ['7', true],
  ['98', false],
])(
  'a phone is found by its last two digits, by its last one, and by its first: %s, %s',
  async (search, found) => {
    expect(await isFound(search, { phone: '+77015551089' })).toBe(found);
  },
);

it('a phone is found by digits that follow each other, beside words', async () => {
  const olzhas = { name: 'Олжас', phone: '+77015551001' };
  const found = (search: string, said: string[] = []) => isFound(search, { ...olzhas, said });
  expect([await found('олжас 5551'), await found('7015 5100')]).toEqual([true, true]);
  for (const search of ['70155510011', '80155510011', '12'])
    expect([search, await found(search)]).toEqual([search, false]);
  expect(await found('12', ['заказ 12'])).toBe(true);
});

it('all words must be there: in the name, in one message or in several', async () => {
  const said = ['Где мой заказ?', 'Жду доставку завтра'];
  const found = (search: string) => isFound(search, { name: 'Айгерим Серікқызы', said });
  expect([await found('завтра айгер ЗАКАЗ'), await found('заказ нет')]).toEqual([true, false]);
});

it('another account’s words are none of an account’s', async () => {
  const [foreign] = describeDialogs('0192f0c4-7b7e-7cc2-9a3e-3f0d2b1a9c12', [
    { id: 'thread', phone: '+77015551001', customer_name: 'тайна', said: [] },
  ]);
  const ours = describeDialogs(ACCOUNT, [
    { id: 'thread', phone: '+77015551001', customer_name: 'тайна', said: [] },
  ]);
  for (const word of ours[0]?.customer_words ?? []) expect(foreign?.customer_words).not.toContain(word);
});

it.each(HOSTILE_WORDS)('%j breaks neither what is stored nor a search', async (text) => {
  const dialog = { name: text, phone: '+79999999999', said: [text] };
  // What has a word is found by it.
  expect(await isFound(text, dialog)).toBe(searchQuery(ACCOUNT, text) !== null);
});
