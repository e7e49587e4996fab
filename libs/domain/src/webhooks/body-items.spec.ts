import { BodyItems } from './body-items';

const BODY = { entry: [{ changes: [{ value: { messages: [{ id: 'a' }, { id: 'b', text: 'СТОП' }] } }] }] };

const textOf = (body: string, path: string): string => new BodyItems(Buffer.from(body)).textOf(path);

it('finds an item by its path', () => {
  const text = textOf(JSON.stringify(BODY), 'entry[0].changes[0].value.messages[1]');
  expect(JSON.parse(text)).toEqual({ id: 'b', text: 'СТОП' });
});

it.each(['', 'entry[7]', 'entry[0].changes[0].value.messages[1].id.x', '__proto__', 'entry.length.x'])(
  'gives the whole body where it has nothing at %j',
  (path) => {
    expect(JSON.parse(textOf(JSON.stringify(BODY), path))).toEqual(BODY);
  },
);

it.each(['', 'no JSON', '['.repeat(100_000), `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`])(
  'gives a body as it came that cannot be written again',
  (body) => {
    expect(textOf(body, 'a')).toBe(body);
  },
);
