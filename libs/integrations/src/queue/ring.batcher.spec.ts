import type { JobKind } from '@app/domain/jobs/job.queue';
import { RingBatcher, type Ring } from './ring.batcher';

describe('rings put together', () => {
  const sent: [JobKind, Ring[]][] = [];
  const lost: unknown[] = [];
  let answer: (() => void) | null = null;
  let fails = false;
  const rings = new RingBatcher(
    async (kind, batch) => {
      sent.push([kind, batch]);
      if (fails) throw new Error('away');
      if (answer) await new Promise<void>((resolve) => (answer = resolve));
    },
    (error) => lost.push(error),
  );

  beforeEach(() => {
    sent.length = 0;
    lost.length = 0;
    fails = false;
    answer = null;
  });

  it('are one of each key, with the ids of the last, and one statement of each kind', async () => {
    rings.add('send-lane', 'a', { n: '1' });
    rings.add('send-lane', 'b', { n: '2' });
    rings.add('take-webhook', 'a', { n: '3' });
    rings.add('send-lane', 'a', { n: '4' });
    await rings.idle();
    expect(sent).toEqual([
      [
        'send-lane',
        [
          { key: 'a', ids: { n: '4' } },
          { key: 'b', ids: { n: '2' } },
        ],
      ],
      ['take-webhook', [{ key: 'a', ids: { n: '3' } }]],
    ]);
  });

  it('that come while a statement is under way go with the next', async () => {
    answer = () => undefined;
    rings.add('send-lane', 'first', {});
    await new Promise((resolve) => setImmediate(resolve));
    for (let ring = 0; ring < 5; ring++) rings.add('send-lane', `later ${ring}`, {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toHaveLength(1);
    const begin = answer;
    answer = null;
    begin();
    await rings.idle();
    expect(sent.map(([, batch]) => batch.length)).toEqual([1, 5]);
  });

  it('are lost with their statement, told of, and followed by others', async () => {
    fails = true;
    rings.add('send-lane', 'lost', {});
    await rings.idle();
    expect(lost).toHaveLength(1);
    fails = false;
    rings.add('send-lane', 'next', {});
    await rings.idle();
    expect(sent).toHaveLength(2);
  });

  it('do not fill the memory while nobody answers', async () => {
    answer = () => undefined;
    rings.add('send-lane', 'first', {});
    await new Promise((resolve) => setImmediate(resolve));
    for (let ring = 0; ring < 25_000; ring++) rings.add('send-lane', `${ring}`, {});
    const begin = answer;
    answer = null;
    begin();
    await rings.idle();
    expect(sent.at(-1)?.[1]).toHaveLength(10_000);
  });
});
