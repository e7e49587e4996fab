/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { card, openView, screen } from '../../../../testing/page-harness';
import { useOptedOut } from './opted-out.hook';
import type { Sender } from '../send-types';

const SENDER: Sender = { botId: 'bot-1', channel: 'waba' };
const PHONES = ['+2290197123110', '+77015551006'];

function OptedOut() {
  const { state, contacts } = useOptedOut(SENDER, PHONES);
  return <output>{`${state}: ${[...contacts].join(', ')}`}</output>;
}

it('whoever unsubscribed is known by the phone of the list, though the dialog has another', async () => {
  openView(<OptedOut />, {
    answers: {
      'post /api/v1/messages/get-threads': {
        threads: [{ ...card({ phone: '+22997123110', opted_out: true }), url: '', last_message: null }],
        ...{ not_found: ['+77015551006'], not_found_user_ids: [] },
        ...{ has_more: false, next_cursor: null },
      },
    },
  });
  await screen.findByText('known: +2290197123110');
});
