/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Attention } from '@app/contracts/lead.words';
import type { Card } from '@app/contracts/board-events';
import { bodiesOf, card, openView, screen, waitFor } from '../../../../testing/page-harness';
import { AttentionBar, PhoneRequest } from './head.view';

const WORDS = '(#131047) Re-engagement: message';
const NOTE = `Reminder 2: ${WORDS}`;
const RULE = 'С последнего сообщения клиента прошло больше суток: отправьте шаблон.';

async function shown(given: Partial<Attention>): Promise<Element> {
  const attention = { reason: 'scenario', note: NOTE, provider_code: null, ...given } as const;
  const since = '2026-11-30T09:00:00.000Z';
  openView(
    <AttentionBar attention={{ ...attention, since }} threadId="thread_1" onDone={() => undefined} />,
    {
      language: 'ru',
    },
  );
  return waitFor(() => {
    const bar = document.querySelector('[data-attention]');
    if (!bar) throw new Error('nothing asks for a person');
    return bar;
  });
}

describe('that a person is asked for', () => {
  it('because the messenger refused a message says by which rule and in which step, its words behind it', async () => {
    const bar = await shown({ provider_code: 131047 });
    for (const said of [`Reminder 2: ${RULE}`, WORDS]) expect(bar.textContent.split(said)).toHaveLength(2);
    expect(bar.querySelector('details')?.textContent).toBe(`Словами мессенджера${WORDS}`);
  });

  it('for another reason says the note alone', async () => {
    const bar = await shown({});
    expect(bar.textContent).toContain(NOTE);
    expect(bar.querySelector('details')).toBeNull();
  });
});

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const HIDDEN = { phone: null, window_until: inMinutes(30) } as const;

describe('the request for a phone', () => {
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
});
