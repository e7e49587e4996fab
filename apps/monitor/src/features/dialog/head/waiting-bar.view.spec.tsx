/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Card } from '@app/contracts/board-events';
import { WAITING_REASONS } from '@app/contracts/lead.words';
import { bodiesOf, card, openView, screen, waitFor, type Answers } from '../../../../testing/page-harness';
import { WaitingBar } from './waiting-bar.view';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const STAGE = { id: 'stage-1', name: 'New', kind: 'active', order: 1 } as const;
const SWITCHED = { thread_id: 'thread_1', ai_enabled: true, message_handler: 'AI' as const };
const ANSWERS: Answers = {
  'post /api/v1/leads/set-ai': { ...SWITCHED, changed: true, answered_pending_message: true },
};

const waits = (given: Partial<Card>): Card =>
  card({
    waiting: true,
    waiting_since: inHours(-1),
    window_until: inHours(23),
    lead_status: STAGE,
    ...given,
  });

function show(given: Partial<Card>, { isMuted = false, answers = ANSWERS, language = 'en' as const } = {}) {
  const onAnswering = jest.fn();
  openView(<WaitingBar card={waits(given)} {...{ isMuted, onAnswering }} />, { language, answers });
  return onAnswering;
}

const bar = (): Promise<Element> =>
  waitFor(() => {
    const found = document.querySelector('[data-waiting-reason]');
    if (!found) throw new Error('nothing says why');
    return found;
  });

/** Where the AI can be had to answer. */
const MAY_REPLY = new Set(['agent_off', 'takeover', 'model_failed', 'hourly_limit']);

describe('a customer who waits', () => {
  it.each(WAITING_REASONS)('is told of with what helps: %s', async (reason) => {
    show({ waiting_reason: reason, ai_enabled: reason !== 'agent_off' });
    const words = (await bar()).textContent ?? '';
    expect(words).toMatch(/^The customer waits\. [A-Z].+\. [A-Z].+/);
    expect(words).not.toMatch(/waits_|helps_/);
    expect(screen.queryByRole('button') !== null).toBe(MAY_REPLY.has(reason));
  });

  it('is told of in Russian', async () => {
    openView(
      <WaitingBar card={waits({ waiting_reason: 'held' })} isMuted={false} onAnswering={() => undefined} />,
      { language: 'ru' },
    );
    expect((await bar()).textContent).toBe(
      'Клиент ждёт. Вся автоматика на паузе. Ответьте сами. Автоматику возобновит администратор в разделе «Люди».',
    );
  });

  it.each<[string, Partial<Card>, boolean]>([
    ['who has unsubscribed', { opted_out: true, ai_enabled: false }, false],
    ['at a stage at which the AI is silent', { ai_enabled: false }, true],
    [
      'at no stage, where the AI is on: nothing short of switching it off would do',
      { waiting_reason: 'model_failed', lead_status: null },
      false,
    ],
    ['who wrote more than a day ago', { ai_enabled: false, window_until: inHours(-1) }, false],
  ])('%s is not answered by the AI', async (_, given, isMuted) => {
    show({ waiting_reason: 'agent_off', ...given }, { isMuted });
    await bar();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('is answered by the AI: it is switched on', async () => {
    const onAnswering = show({ waiting_reason: 'agent_off', ai_enabled: false, message_handler: 'OPERATOR' });
    (await screen.findByRole('button', { name: 'Reply with AI' })).click();
    await waitFor(() => expect(onAnswering).toHaveBeenCalled());
    expect(bodiesOf('post')).toEqual([{ thread_id: 'thread_1', ai_enabled: true }]);
  });

  it.each<[string, Card['attention']]>([
    ['that is on', null],
    [
      'whose reply did not arrive',
      { reason: 'not_delivered', note: null, provider_code: null, since: inHours(-1) },
    ],
  ])('is answered by the AI %s: its stage is set again', async (_, attention) => {
    const onAnswering = show(
      { waiting_reason: 'takeover', attention },
      {
        answers: {
          'post /api/v1/leads/set-status': {
            thread_id: 'thread_1',
            status: { ...STAGE, ai_enabled: true },
            changed: false,
            answered_pending_message: true,
          },
        },
      },
    );
    (await screen.findByRole('button', { name: 'Reply with AI' })).click();
    await waitFor(() => expect(onAnswering).toHaveBeenCalled());
    const stage = { status_id: STAGE.id, expected_status_id: STAGE.id };
    expect(bodiesOf('post')).toEqual([{ thread_id: 'thread_1', ...stage, answer_pending_message: true }]);
  });

  it('is answered by the AI that takes the dialog back from another one', async () => {
    const onAnswering = show({ waiting_reason: 'takeover', conducted_elsewhere: true });
    (await screen.findByRole('button', { name: 'Reply with AI' })).click();
    await waitFor(() => expect(onAnswering).toHaveBeenCalled());
    expect(bodiesOf('post')).toEqual([{ thread_id: 'thread_1', ai_enabled: true }]);
  });

  it('goes on waiting where the AI cannot answer after all, which is said', async () => {
    const onAnswering = show(
      { waiting_reason: 'agent_off', ai_enabled: false, message_handler: 'OPERATOR' },
      {
        answers: {
          'post /api/v1/leads/set-ai': { ...SWITCHED, changed: true, answered_pending_message: false },
        },
      },
    );
    (await screen.findByRole('button', { name: 'Reply with AI' })).click();
    expect(await screen.findByText(/AI cannot answer the message/)).toBeTruthy();
    expect(onAnswering).not.toHaveBeenCalled();
  });
});
