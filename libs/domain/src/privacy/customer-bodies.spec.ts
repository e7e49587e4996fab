import { CustomerBodies, CustomerNames } from './customer-bodies';

const PHONE = '77015550100';
const NOBODY: ReadonlySet<string> = new Set();

const nested = (text: string, depth: number): Buffer =>
  Buffer.from(`${'['.repeat(depth)}"${text}"${']'.repeat(depth)}`);

it('a body that is nested too deeply to be read is dropped where it may be about the customer', () => {
  expect(new CustomerBodies([PHONE]).redact(nested(PHONE, 100_000), NOBODY)).toBe('drop');
});

it('an item that is nested too deeply to be read is taken for nobody’s', () => {
  const deep = nested('Zhanar', 100_000);
  expect(new CustomerNames(['Zhanar']).redactItems([deep], deep, NOBODY)).toEqual({
    theirs: [false],
    redaction: 'keep',
  });
});

it('an item goes by the name that stands in it, wherever it stands in its webhook', () => {
  const item = { sender: { name: ' zhanar ' }, text: 'x' };
  const body = { lists: [[{ deep: item }, { other: 1 }]] };
  const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const { theirs, redaction } = new CustomerNames(['Zhanar']).redactItems([bytes(item)], bytes(body), NOBODY);
  expect([theirs, String(redaction)]).toEqual([[true], JSON.stringify({ lists: [[null, { other: 1 }]] })]);
});

it.each<[string, object, object, boolean]>([
  ['theirs in capitals', { sender: { name: 'ZHANAR' } }, {}, true],
  ['of another name', { sender: { name: 'Zhanar Bek' } }, {}, false],
  ['of a namesake, by the address in it', { sender: { name: 'Zhanar', phone: '77015550199' } }, {}, false],
  ['to another account', { sender: { name: 'Zhanar' } }, { metadata: { phone_number_id: '300' } }, false],
])('an item goes by the name in it alone: %s', (_, item, beside, isTheirs) => {
  const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const body = bytes({ ...beside, items: [item] });
  const { theirs } = new CustomerNames(['Zhanar']).redactItems([bytes(item)], body, new Set(['300']));
  expect(theirs).toEqual([isTheirs]);
});
