/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { bodiesOf, card, openView, refused, type Answers } from '../../../testing/page-harness';
import { readCard } from './leads.query';

// What another dialog of this customer has too, and what a search by it finds.
const PHONE = '+77015551006';
const given = card({ thread_id: 'thread_2', phone: PHONE, opted_out: true, same_customer: ['thread_1'] });

/** Of a process that knows no such filter. */
const FILTER_UNKNOWN = 'thread_4';

const answers: Answers = {
  'post /api/v1/messages/get-threads': ({ body }) => {
    const { thread_ids: [id] = [] } = body as { thread_ids?: string[] };
    if (id !== given.thread_id && id !== FILTER_UNKNOWN) return refused('THREAD_NOT_FOUND', { status: 404 });
    return {
      threads: [{ ...given, url: '', last_message: null }],
      ...{ not_found: [], not_found_user_ids: [], has_more: false, next_cursor: null },
    };
  },
};

describe('the card of a dialog', () => {
  beforeEach(() => openView(null, { answers }));

  it('is read by the dialog’s own id: a phone may lead to another one of the customer', async () => {
    expect(await readCard(given.thread_id)).toMatchObject(given);
    expect(bodiesOf('post')).toEqual([{ thread_ids: [given.thread_id] }]);
  });

  it('is never that of another one, which a process of the former version answers', async () => {
    await expect(readCard(FILTER_UNKNOWN)).rejects.toThrow('is not in the answer');
  });

  it('is refused where there is none', async () => {
    await expect(readCard('thread_3')).rejects.toMatchObject({ code: 'THREAD_NOT_FOUND' });
  });
});
