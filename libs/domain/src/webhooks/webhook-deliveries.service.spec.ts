import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { WebhookDeliveries } from './webhook-deliveries.service';

/** As many as a claim takes. */
const FULL = 32;
/** Marks of several claims are made together, so they take a moment. */
const MARKING_MS = 100;

/**
 * Webhooks without items. The given numbers are due at the claims, one after the other.
 * @param marks lasts as long as a mark is being made
 */
function deliveriesOf(claims: number[], marks: () => Promise<unknown> = () => sleep(MARKING_MS)) {
  const claimedAt: number[] = [];
  let marked = 0;
  const repository = {
    claimDue: () => {
      claimedAt.push(performance.now());
      const count = claims.shift() ?? 0;
      return Promise.resolve(
        Array.from({ length: count }, (_, id) => ({
          id: String(id),
          body: Buffer.of(),
          more_due: count === FULL,
        })),
      );
    },
    renew: () => Promise.resolve(new Set()),
    done: async () => {
      await marks();
      marked += 1;
      return true;
    },
  } as unknown as WebhookDeliveryRepository;
  const others = [{ of: () => ({ read: () => [] }) }, { together: () => () => ({}) }, {}, {}, {}];
  const [readers, sources, events, rejects, erased] = others as unknown as [
    never,
    never,
    never,
    never,
    never,
  ];
  const deliveries = new WebhookDeliveries(repository, readers, sources, events, rejects, erased);
  /** Milliseconds from the first claim to each. */
  const run = async (): Promise<number[]> => {
    const stopping = new AbortController();
    while (claims.length > 0) await deliveries.takeDue(stopping.signal);
    return claimedAt.map((at) => at - (claimedAt[0] ?? 0));
  };
  const markedInTheEnd = async (): Promise<number> => {
    await deliveries.untilMarked();
    return marked;
  };
  return { run, claimedAt, markedInTheEnd };
}

it('a claim that left something is followed by the next one at once, and any other after 100 ms', async () => {
  const atOnce: number[] = [];
  const paced: number[] = [];
  for (let times = 0; times < 5; times += 1) {
    const { run, markedInTheEnd } = deliveriesOf([FULL, FULL, FULL, 31, 1]);
    const [, second = 0, third = 0, fourth = 0, fifth = 0] = await run();
    atOnce.push(Math.max(third, fourth - second));
    paced.push(fifth - fourth);
    expect(await markedInTheEnd()).toBe(128);
  }
  // The best of five: a busy machine may hold up some, and see the one before the pause late.
  expect(Math.min(...atOnce)).toBeLessThan(50);
  expect(Math.max(...paced)).toBeGreaterThan(95);
});

it('nothing is claimed while more than 256 webhooks wait to be marked as done', async () => {
  const database = Promise.withResolvers<void>();
  const { run, claimedAt, markedInTheEnd } = deliveriesOf(
    Array<number>(12).fill(FULL),
    () => database.promise,
  );
  const claims = run();
  // A turn of the event loop is enough for claims that wait for nothing.
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
  expect(claimedAt).toHaveLength(9);
  database.resolve();
  await claims;
  expect(claimedAt).toHaveLength(12);
  expect(await markedInTheEnd()).toBe(12 * FULL);
});
