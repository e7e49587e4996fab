import type { WorkLoop } from '@app/domain/work/work-loop';
import { WorkNotifier } from '@app/domain/work/work-notifier';
import type { WorkItem } from '@app/domain/work/worker';
import { NOTIFICATION_LIMITS, Notifications } from '@app/persistence/work/notifications-connection';
import { eventually } from '../../support/eventually';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

describe('notifications between processes', () => {
  let database: TestDatabase;
  let speaker: Notifications;
  let hearer: Notifications;
  let heard = 0;
  const warnings: Error[] = [];
  const onWarning = (warning: Error): unknown => warnings.push(warning);

  beforeAll(async () => {
    process.on('warning', onWarning);
    database = await createDatabase();
    speaker = new Notifications(database.url);
    hearer = new Notifications(database.url);
    let connected = 0;
    speaker.listen('leadline_events', () => connected++);
    hearer.listen('leadline_events', () => heard++);
    // The first call of each tells that it listens.
    await eventually(async () => connected > 0 && heard > 0, 5_000, 'the listeners did not connect');
  });

  afterAll(async () => {
    process.off('warning', onWarning);
    await Promise.all([speaker?.stop(), hearer?.stop()]);
    await database?.drop();
  });

  it('that come while one is on its way are one more, sent behind it: the connection has one statement at a time', async () => {
    const before = heard;
    for (let notice = 0; notice < 100; notice++) speaker.notify('leadline_events');
    await eventually(async () => heard >= before + 2, 5_000, 'the later notice was not heard');
    const sent = heard;
    speaker.notify('leadline_events');
    await eventually(async () => heard > sent, 5_000, 'the next notice was not heard');
    expect(heard).toBe(before + 3);
    expect(warnings).toEqual([]);
  });

  it('of work are heard by the workers of other processes, and those of others are none', async () => {
    const taken: WorkItem[] = [];
    let looks = 0;
    const loop = {
      take: (item: WorkItem) => taken.push(item) > 0,
      look: () => (looks += 1),
    } as unknown as WorkLoop;
    new WorkNotifier(hearer).listen(new Map([['media', loop]]));
    await eventually(async () => looks > 0, 5_000, 'it does not listen');
    const item = { accountId: 'an account', id: 'told' };
    const notifier = new WorkNotifier(speaker);
    await database.pool.query(`SELECT pg_notify('leadline_work', repeat('-', 36) || '{"foreign": true}')`);
    notifier.notify('media', item);
    await eventually(async () => taken.length > 0, 5_000, 'the other process did not hear of it');
    expect(taken).toEqual([item]);
  });

  it('are heard again once a database answers that fell silent without a word', async () => {
    const proxy = await DatabaseProxy.start(database.url);
    const { pingMs } = NOTIFICATION_LIMITS;
    NOTIFICATION_LIMITS.pingMs = 500;
    const cutOff = new Notifications(proxy.url);
    const payloads: (string | null)[] = [];
    const hearsOf = async (id: string): Promise<boolean> => {
      speaker.notify('leadline_work', id);
      return payloads.includes(id);
    };
    try {
      // Nothing answers yet: a start does not wait for it.
      proxy.swallow();
      cutOff.listen('leadline_work', (payload) => payloads.push(payload));
      await eventually(async () => cutOff.errors > 0, 10_000, 'it was not found out');
      proxy.letThrough();
      await eventually(() => hearsOf('first'), 10_000, 'it did not listen');
      proxy.swallow();
      const before = cutOff.errors;
      cutOff.notify('leadline_work', 'lost');
      await eventually(async () => cutOff.errors > before, 10_000, 'it was not found out');
      proxy.letThrough();
      await eventually(() => hearsOf('second'), 15_000, 'it did not listen again');
    } finally {
      NOTIFICATION_LIMITS.pingMs = pingMs;
      await cutOff.stop();
      await cutOff.stop();
      await proxy.stop();
    }
  });
});
