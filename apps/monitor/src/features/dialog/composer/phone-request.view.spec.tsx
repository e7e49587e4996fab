/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Card } from '@app/contracts/board-events';
import { bodiesOf, card, openView, screen, waitFor } from '../../../../testing/page-harness';
import { PhoneRequest } from './phone-request.view';

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const HIDDEN = { phone: null, window_until: inMinutes(30) } as const;

it('asks the customer for the phone in the language of the page', async () => {
  const given = card(HIDDEN);
  const answers = {
    'post /api/v1/messages/request-phone': {
      id: 'm1',
      message_id: null,
      phone: null,
      status: 'sent',
      thread_id: given.thread_id,
    } as const,
  };
  openView(<PhoneRequest card={given} />, { language: 'ru', answers });
  (await screen.findByRole('button', { name: 'Попросить телефон' })).click();
  await waitFor(() =>
    expect(bodiesOf('post')).toEqual([
      { thread_id: given.thread_id, text: 'Поделитесь с нами, пожалуйста, своим номером телефона.' },
    ]),
  );
});

it.each<[string, Partial<Card>]>([
  ['of a channel that cannot ask', { ...HIDDEN, channel: 'WABA' }],
  ['that has not been written in for 24 hours', { ...HIDDEN, window_until: inMinutes(-1) }],
  ['in which the customer unsubscribed', { ...HIDDEN, opted_out: true }],
  ['of a customer who was erased', { ...HIDDEN, erased_at: inMinutes(-1) }],
])('offers nothing in a dialog %s', async (_, fields) => {
  openView(
    <>
      <PhoneRequest card={card(fields)} />
      <output>shown</output>
    </>,
  );
  await screen.findByText('shown');
  expect(screen.queryByRole('button')).toBeNull();
});
