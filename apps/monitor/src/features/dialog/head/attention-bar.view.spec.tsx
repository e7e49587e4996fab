/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Attention } from '@app/contracts/lead.words';
import { openView, waitFor } from '../../../../testing/page-harness';
import { AttentionBar } from './attention-bar.view';

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
