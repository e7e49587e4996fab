import { RequestBuffer } from './model-exchange';

it('keeps the last 5,000 requests, oldest first, with numbers that go on', () => {
  const buffer = new RequestBuffer();
  for (let n = 1; n <= 5_003; n += 1) buffer.note({ n }, 10, false);
  const all = buffer.list();
  expect([all.length, all[0]?.n, all.at(-1)?.n]).toEqual([5_000, 4, 5_003]);
  buffer.clear();
  expect(buffer.note({}, 10, false).n).toBe(5_004);
});

it('keeps 32 MiB of their bodies, and of the others all but the body', () => {
  const buffer = new RequestBuffer();
  for (let n = 1; n <= 40; n += 1) buffer.note({ text: `body ${n}` }, 1024 * 1024, false);
  const bodies = buffer.list().map(({ body }) => body);
  expect(bodies.slice(0, 8)).toEqual(Array(8).fill(null));
  expect(bodies.slice(8).every((body) => body !== null)).toBe(true);
  expect(buffer.list({ contains: 'body 40' })).toHaveLength(1);
});
