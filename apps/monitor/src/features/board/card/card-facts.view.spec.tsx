/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { BoardStore } from '@app/client/board/board.store';
import type { Card } from '@app/contracts/board-events';
import { card, openView, screen } from '../../../../testing/page-harness';
import { LiveContext, type Live } from '../../../shared/live/live-context';
import { AgeInStage, AttentionLine, Handler, WhyWaiting } from './card-facts.view';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const OPERATOR = { message_handler: 'OPERATOR' } as const;
const waits = (given: Partial<Card>): Card => card({ waiting: true, waiting_since: inHours(-1), ...given });

describe('on a card it is said why somebody waits', () => {
  const attention = (reason: 'model' | 'scenario') => ({
    ...{ reason, note: null, provider_code: null },
    since: inHours(-1),
  });

  it.each<[string, Partial<Card>, RegExp]>([
    ['where nothing else says it', { waiting_reason: 'held' }, /^All automation is paused$/],
    [
      'beside another reason to ask for a person',
      { waiting_reason: 'model_failed', attention: attention('scenario') },
      /^The model failed$/,
    ],
    ['where a takeover is over', { waiting_reason: 'takeover' }, /^Left to you/],
  ])('%s', async (_, given, words) => {
    openView(<WhyWaiting card={waits(given)} />);
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it.each<[string, Partial<Card>]>([
    ['by who answers', { waiting_reason: 'agent_off' }],
    ['by the takeover that runs', { ...OPERATOR, waiting_reason: 'takeover', takeover_until: inHours(1) }],
    ['by the takeover that does not end', { ...OPERATOR, waiting_reason: 'takeover' }],
    ['by why a person is asked for', { waiting_reason: 'model_failed', attention: attention('model') }],
  ])('not twice, where it is said %s', async (_, given) => {
    openView(
      <>
        <WhyWaiting card={waits(given)} />
        <i>drawn</i>
      </>,
    );
    expect((await screen.findByText('drawn')).parentElement?.textContent).toBe('drawn');
  });
});

describe('on a card it is said who answers', () => {
  it.each<[string, Partial<Card>, RegExp]>([
    ['a person for some time', { ...OPERATOR, takeover_until: inHours(0.1) }, /^Operator 0?[56]:\d\d$/],
    ['a person without an end', OPERATOR, /^Operator$/],
    ['the AI', {}, /^AI$/],
  ])('%s', async (_, given, words) => {
    openView(
      <LiveContext value={{ store: new BoardStore() } as Live}>
        <Handler card={card(given)} />
      </LiveContext>,
    );
    expect(await screen.findByText(words)).toBeTruthy();
  });
});

describe('on a card it is said how long the lead has stood where it stands', () => {
  const opened = { created_at: inHours(-72) };

  it.each<[string, Partial<Card>, string]>([
    ['since it came to its stage', { ...opened, status_set_at: inHours(-5) }, '5 hr'],
    ['without a stage, since the stage was cleared', { ...opened, status_cleared_at: inHours(-2) }, '2 hr'],
    ['and where it never had one, since the dialog began', opened, '3 days'],
  ])('%s', async (_, given, span) => {
    openView(<AgeInStage card={card(given)} />);
    expect(await screen.findByText(span)).toBeTruthy();
  });
});

describe('on a card that asks for a person', () => {
  const asked = (
    reason: 'messenger' | 'not_delivered' | 'hand_over' | 'scenario',
    provider_code: number | null = null,
    note = 'Some words',
  ) => ({ ...{ reason, note, provider_code }, since: inHours(-1) });

  it.each([
    ['not_delivered', 'Paused: why', /^WhatsApp приостановил шаблон/, 'Paused: why'],
    [
      'scenario',
      'A message of the scenario was not delivered: Paused',
      /^WhatsApp приостановил шаблон/,
      'Paused',
    ],
    ['scenario', 'Paused', /^WhatsApp приостановил шаблон/, 'Paused'],
    ['scenario', 'Reminder 2: Paused: why', /^Reminder 2: WhatsApp приостановил шаблон/, 'Paused: why'],
  ] as const)(
    'the rule by which the messenger refused is told in the reader’s language, with the step’s name, its words behind it: %s, %s',
    async (reason, note, said, words) => {
      openView(<AttentionLine attention={asked(reason, 132015, note)} />, { language: 'ru' });
      const line = (await screen.findByText(said)).closest('[title]');
      expect(line?.getAttribute('title')).toBe(words);
      expect(line?.textContent).not.toContain(words);
    },
  );

  it('the messenger’s own words are behind its reason', async () => {
    openView(<AttentionLine attention={asked('messenger')} />, { language: 'ru' });
    const line = (await screen.findByText('Мессенджер не принял ответ ИИ')).closest('[title]');
    expect([line?.getAttribute('title'), line?.textContent]).toEqual([
      'Some words',
      'Мессенджер не принял ответ ИИ',
    ]);
  });

  it('those of the AI stand in it', async () => {
    openView(<AttentionLine attention={asked('hand_over')} />);
    expect(await screen.findByText('Some words')).toBeTruthy();
  });
});
