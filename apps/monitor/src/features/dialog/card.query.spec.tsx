/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { LeadAnswer } from '@app/client/api.types';
import { card, openView } from '../../../testing/page.harness';
import { readCard } from './card.query';

it('a dialog has its whole card, though its phone leads to another one of the customer', async () => {
  const given = card({ thread_id: 'thread_2', opted_out: true, same_customer: ['thread_1'] });
  const lead = { ...given, channel: 'WABA_COEXISTENCE', status: null } as unknown as LeadAnswer;
  openView(null, {
    answers: {
      'post /api/v1/leads/get-lead': lead,
      'post /api/v1/leads/get-history': { entries: [], next_cursor: null },
      'post /api/v1/messages/get-threads': ({ body }) => ({
        threads: [{ ...('phones' in (body as object) ? card() : given), url: '', last_message: null }],
        ...{ not_found: [], not_found_user_ids: [], has_more: false, next_cursor: null },
      }),
    },
  });
  expect(await readCard(given.thread_id)).toMatchObject(given);
});
