import { FeedListener } from '@app/persistence/board/feed.listener';
import { eventually } from '../support/eventually';
import { createDatabase, type TestDatabase } from '../support/test.database';

describe('notices between processes', () => {
  let database: TestDatabase;
  let speaker: FeedListener;
  let hearer: FeedListener;
  let heard = 0;
  const warnings: Error[] = [];
  const onWarning = (warning: Error): unknown => warnings.push(warning);

  beforeAll(async () => {
    process.on('warning', onWarning);
    database = await createDatabase();
    speaker = new FeedListener(database.url);
    hearer = new FeedListener(database.url);
    let connected = 0;
    speaker.start(() => connected++);
    hearer.start(() => heard++);
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
    for (let notice = 0; notice < 100; notice++) speaker.notify();
    await eventually(async () => heard >= before + 2, 5_000, 'the later notice was not heard');
    const sent = heard;
    speaker.notify();
    await eventually(async () => heard > sent, 5_000, 'the next notice was not heard');
    expect(heard).toBe(before + 3);
    expect(warnings).toEqual([]);
  });
});
