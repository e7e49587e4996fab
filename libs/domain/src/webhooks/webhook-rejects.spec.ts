import { setImmediate as tick } from 'node:timers/promises';
import type { ClaimedDelivery } from '@app/persistence/webhooks/webhook-delivery.repository';
import type { WebhookRejectRepository } from '@app/persistence/webhooks/webhook-reject.repository';
import { WebhookRejects } from './webhook-rejects.service';
import type { WebhookSource } from './webhook-source';

const ITEMS = 64;
const AT_ONCE = 3;

const SOURCE = { botId: null } as WebhookSource;
const ITEM = { path: 'entry[0]', reason: 'cannot be read', raw: '{}', number: null };

function rejectsWith(add: () => Promise<void>) {
  const seen = { now: 0, most: 0, all: 0 };
  const counted = async (): Promise<void> => {
    seen.all += 1;
    seen.most = Math.max(seen.most, (seen.now += 1));
    await tick();
    seen.now -= 1;
    await add();
  };
  const rejects = new WebhookRejects({ add: counted } as unknown as WebhookRejectRepository);
  const keepAll = () =>
    Promise.allSettled(
      Array.from({ length: ITEMS }, () => rejects.keep({} as ClaimedDelivery, 'token', SOURCE, ITEM)),
    );
  return { seen, keepAll };
}

describe('Items of webhooks that cannot be taken in', () => {
  it('take three connections of a process at once', async () => {
    const { seen, keepAll } = rejectsWith(() => Promise.resolve());
    await keepAll();
    expect(seen).toEqual({ now: 0, most: AT_ONCE, all: ITEMS });
  });

  it('hold no connection after one that could not be stored', async () => {
    const { seen, keepAll } = rejectsWith(() => Promise.reject(new Error('no database')));
    const kept = await keepAll();
    expect(kept.map(({ status }) => status)).toEqual(Array(ITEMS).fill('rejected'));
    await keepAll();
    expect(seen).toEqual({ now: 0, most: AT_ONCE, all: 2 * ITEMS });
  });
});
