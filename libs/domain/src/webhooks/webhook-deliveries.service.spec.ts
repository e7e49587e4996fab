import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { WebhookDeliveries } from './webhook-deliveries.service';

/** As many as a claim takes. */
const FULL = 32;
/** Marks of several claims are made together, so they take a moment. */
const MARKING_MS = 100;

/** Webhooks without items. The given numbers are due at the claims, one after the other. */
function deliveriesOf(...claims: number[]) {
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
      await sleep(MARKING_MS);
      marked += 1;
      return true;
    },
  } as unknown as WebhookDeliveryRepository;
  const others = [{ of: () => ({ read: () => [] }) }, { together: () => () => ({}) }, {}, {}];
  const [readers, sources, events, rejects] = others as unknown as [never, never, never, never];
  const deliveries = new WebhookDeliveries(repository, readers, sources, events, rejects);
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
  return { run, markedInTheEnd };
}

it('a claim that left something is followed by the next one at once, and any other after 100 ms', async () => {
  const { run, markedInTheEnd } = deliveriesOf(FULL, FULL, FULL, 31, 1);
  const [, second = 0, third = 0, fourth = 0, fifth = 0] = await run();
  expect(third).toBeLessThan(50);
  expect(fourth - second).toBeLessThan(50);
  expect(fifth - fourth).toBeGreaterThan(95);
  expect(await markedInTheEnd()).toBe(128);
});
