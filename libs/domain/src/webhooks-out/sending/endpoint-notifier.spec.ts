import type { EndpointQueueRepository } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { EventNotifier } from '../../events/event-notifier.service';
import type { WorkNotifier } from '../../work/work-notifier';
import type { WorkItem } from '../../work/worker';
import { EndpointNotifier } from './endpoint-notifier';

const ENABLED = [
  { accountId: 'one', endpointId: 'first' },
  { accountId: 'one', endpointId: 'second' },
  { accountId: 'other', endpointId: 'third' },
];

describe('Endpoints', () => {
  const events = new EventNotifier();
  let notified: string[] = [];
  const notifier = new EndpointNotifier(
    { enabled: () => Promise.resolve(ENABLED) } as unknown as EndpointQueueRepository,
    events,
    { notify: (_: string, { id }: WorkItem) => void notified.push(id) } as unknown as WorkNotifier,
  );

  beforeAll(async () => {
    jest.useFakeTimers();
    notifier.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(0);
  });
  beforeEach(() => (notified = []));
  afterAll(async () => {
    await notifier.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  it('are notified of the events of their own account alone', () => {
    events.notify('one');
    expect(notified).toEqual(['first', 'second']);
    events.notify('without');
    expect(notified).toHaveLength(2);
  });

  it('are all notified where the events are of several accounts, once for many', async () => {
    events.notify(null);
    events.notify(null);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(notified).toEqual(['first', 'second', 'third']);
  });
});
