import { Notifications } from '@app/persistence/work/notifications.connection';
import { eventually } from '../../support/eventually';
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
});
