/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { ListedBatchAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  openPage,
  screen,
  waitFor,
  within,
  type Answers,
  type Language,
} from '../../../testing/page-harness';

// Files need a worker and styles, which are proven in a browser.
jest.mock('./recipients/csv-file.view', () => ({ CsvRecipients: () => null }));

const batch = (id: string, given: Partial<ListedBatchAnswer> = {}): ListedBatchAnswer => ({
  ...{ batch_id: id, bot_id: 'bot-1', channel: 'waba', total: 3, sent: 1, failed: 2, queued: 0, unknown: 0 },
  template: { template_id: 'parcel', name: 'parcel', language: 'en' },
  author: { id: 'person-2', name: 'Dana' },
  created_at: '2026-03-02T08:00:00.000Z',
  ...given,
});

const open = (answer: Answers['post /api/v1/messages/get-batches'], language: Language = 'en') =>
  openPage('/send', {
    ...{ language, as: { role: 'operator' } },
    answers: {
      'post /api/v1/messages/get-batches': answer,
      'post /api/v1/messages/get-batch': {
        ...{ batch_id: 'batch-2', total: 3, sent: 1, failed: 2, queued: 0, unknown: 0 },
        results: [],
      },
    },
  });

describe('recent sendings', () => {
  it('lead to their results, which others can open by the same address', async () => {
    const { user } = open({ batches: [batch('batch-2')], next_cursor: null });
    const list = within(await screen.findByRole('list', { name: 'Recent sendings' }));
    list.getByText('Dana');
    list.getByText('Sent 1 · Failed 2');
    await user.click(list.getByRole('link', { name: /\d.* parcel$/ }));
    await screen.findByRole('button', { name: 'New list' });
    expect(new URLSearchParams(location.search).get('batch')).toBe('batch-2');
    await waitFor(() => expect(bodiesOf('post')).toContainEqual({ batch_id: 'batch-2' }));
  });

  it('are shown further back, with what is not known left out', async () => {
    const none = { author: null, template: null };
    const { user } = open((call) =>
      (call.body as { cursor?: string }).cursor === 'older'
        ? { batches: [batch('batch-1', none)], next_cursor: null }
        : { batches: [batch('batch-2')], next_cursor: 'older' },
    );
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    const link = await screen.findByRole('link', { name: /template no longer kept/ });
    expect(link.closest('li')?.textContent).not.toContain('Dana');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('say that there are none', async () => {
    open({ batches: [], next_cursor: null }, 'ru');
    await screen.findByText('Рассылок ещё не было.');
  });
});
