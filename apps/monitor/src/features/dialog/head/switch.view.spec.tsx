/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Card } from '@app/contracts/board-events';
import { createRef } from 'react';
import { bodiesOf, card, openView, screen, waitFor } from '../../../../testing/page-harness';
import { AiSwitch } from './switch.view';

interface State {
  name: string;
  given: Partial<Card>;
  isMuted?: boolean;
  colleague?: string;
  isOn: boolean;
  en: string | RegExp;
  ru: string | RegExp;
}

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const OFF = { en: 'AI is off until switched on', ru: 'ИИ выключен, пока его не включат' };
const TAKEN = { message_handler: 'OPERATOR', takeover_until: inMinutes(29.5) } as const;

const KEPT = { message_handler: 'OPERATOR', takeover_until: null } as const;

const STATES: State[] = [
  { name: 'on', given: {}, isOn: true, en: 'AI answers', ru: 'Отвечает ИИ' },
  {
    ...{ name: 'a takeover of one’s own', given: TAKEN, isOn: true },
    en: /^You answer\. AI returns in 29:\d\d$/,
    ru: /^Отвечаете вы\. ИИ вернётся через 29:\d\d$/,
  },
  {
    ...{ name: 'a takeover of a colleague', given: TAKEN, colleague: 'Берик', isOn: true },
    en: /^\u2068?Берик\u2069? answers\. AI returns in 29:\d\d$/,
    ru: /^Отвечает \u2068?Берик\u2069?\. ИИ вернётся через 29:\d\d$/,
  },
  {
    ...{ name: 'a takeover that does not end by itself', given: KEPT, isOn: true },
    en: 'You answer until you return it to AI',
    ru: 'Отвечаете вы, пока не вернёте диалог ИИ',
  },
  {
    ...{ name: 'such a takeover of a colleague', given: KEPT, colleague: 'Берик', isOn: true },
    en: /^\u2068?Берик\u2069? answers until the dialog is returned to AI$/,
    ru: /^Отвечает \u2068?Берик\u2069?, пока диалог не вернут ИИ$/,
  },
  { name: 'off', given: { ai_enabled: false }, isOn: false, ...OFF },
  { name: 'off in a takeover', given: { ...TAKEN, ai_enabled: false }, isOn: false, ...OFF },
  {
    ...{ name: 'another AI', given: { conducted_elsewhere: true }, isOn: true },
    en: 'Another AI answers on this number: ours is silent',
    ru: 'На этом номере отвечает другой ИИ: наш молчит',
  },
  {
    ...{ name: 'opted out', given: { opted_out: true, ai_enabled: false }, isOn: false },
    en: 'Unsubscribed: nobody may write but by an approved template',
    ru: 'Клиент отписался: писать можно только одобренным шаблоном',
  },
  {
    ...{ name: 'a stage at which the agent is silent', given: {}, isMuted: true, isOn: true },
    en: 'AI is silent at this stage: you answer',
    ru: 'На этом этапе ИИ молчит: отвечаете вы',
  },
  {
    ...{ name: 'erased', given: { erased_at: inMinutes(-1), ai_enabled: false }, isOn: false },
    en: 'This customer was erased',
    ru: 'Данные этого клиента удалены',
  },
];

const shown = ({
  given,
  isMuted = false,
  colleague = null,
}: Pick<State, 'given' | 'isMuted'> & { colleague?: string | null }) => (
  <AiSwitch
    card={card(given)}
    {...{ isMuted, colleague, control: createRef<HTMLButtonElement>() }}
    onAnswering={() => undefined}
    onChanged={() => undefined}
  />
);

const waits = { waiting: true, ai_enabled: false };
const wrote = (minutes: number) => ({
  last_message: { role: 'USER', text: '?', created_at: inMinutes(minutes) },
});

describe('the switch of a dialog', () => {
  describe.each(['en', 'ru'] as const)('says in %s who answers', (language) => {
    it.each(STATES)('$name', async ({ isOn, en, ru, ...state }) => {
      openView(shown(state), { language });
      const control = await screen.findByRole('switch', {
        name: language === 'en' ? 'AI answers' : 'ИИ отвечает',
      });
      expect(control.getAttribute('aria-checked')).toBe(String(isOn));
      const words = document.querySelector('[data-switch-words]')?.textContent ?? '';
      expect(words).toEqual(
        typeof en === 'string'
          ? language === 'en'
            ? en
            : ru
          : expect.stringMatching(language === 'en' ? en : ru),
      );
    });
  });

  it.each([
    [
      'answers',
      { ...waits, ...wrote(-5) },
      false,
      'When you switch it on, AI answers the message that waits.',
    ],
    ['muted', { ...waits, ...wrote(-5) }, true, null],
    ['tooOld', { ...waits, ...wrote(-25 * 60) }, false, null],
  ] as const)(
    'says before it is switched on what becomes of the message that waits: %s',
    async (forecast, given, isMuted, words) => {
      openView(shown({ given, isMuted }));
      const control = await screen.findByRole('switch');
      const hint = document.querySelector(`[data-switch-forecast=${forecast}]`);
      expect(control.getAttribute('aria-describedby')).toBe(hint?.id);
      if (words !== null) expect(hint?.textContent).toBe(words);
    },
  );

  it.each([
    { opted_out: true, ai_enabled: false },
    { erased_at: inMinutes(-1), ai_enabled: false },
  ])('cannot be switched where nobody may answer: %j', async (given) => {
    openView(shown({ given }));
    const control = await screen.findByRole('switch');
    control.click();
    expect(control.getAttribute('aria-disabled')).toBe('true');
    expect(bodiesOf('post')).toEqual([]);
  });

  it('ends a takeover at once where that is asked for', async () => {
    openView(shown({ given: TAKEN }), {
      answers: {
        'post /api/v1/leads/set-ai': {
          ...{ thread_id: 'thread_1', ai_enabled: true, changed: false, message_handler: 'AI' },
          answered_pending_message: false,
        },
      },
    });
    (await screen.findByRole('button', { name: 'Return to AI now' })).click();
    await waitFor(() => expect(bodiesOf('post')).toEqual([{ thread_id: 'thread_1', ai_enabled: true }]));
  });
});
