import { countdown } from '../../shared/format/time.format';
import { takeoverOwner } from './dialog-panel';
import { linkParts } from './timeline/linked-text.view';
import { switchState, waitingForecast, type Switched } from './head/switch.view';
import { firstUnreadKey, timelineRows, type SaidRow } from './timeline/timeline-rows';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

const OPERATOR = { message_handler: 'OPERATOR' } as const;

const dialog = (fields: Partial<Switched> = {}): Switched => ({
  ...{
    message_handler: 'AI',
    ai_enabled: true,
    takeover_until: null,
    opted_out: false,
    erased_at: null,
    waiting: false,
  },
  ...{ last_message: null, conducted_elsewhere: false },
  ...fields,
});

describe('a countdown', () => {
  it('begins with the time that was given, however late its clock ticks', () => {
    expect(countdown(30 * 60_000 + 700)).toBe('30:00');
  });
});

describe('the state of the switch', () => {
  it.each<[string, Partial<Switched>, boolean, object]>([
    ['on', {}, false, { kind: 'on' }],
    ['a takeover', { ...OPERATOR, takeover_until: at(14) }, false, { kind: 'takeover', leftMs: 14 * 60_000 }],
    ['a takeover that does not end', OPERATOR, false, { kind: 'takeover', leftMs: Infinity }],
    ['a takeover whose time is over', { ...OPERATOR, takeover_until: at(-1) }, false, { kind: 'on' }],
    ['off', { ai_enabled: false }, false, { kind: 'off' }],
    ['off in a takeover', { ai_enabled: false, takeover_until: at(14) }, false, { kind: 'off' }],
    ['opted out', { ai_enabled: false, opted_out: true }, false, { kind: 'optedOut' }],
    [
      'opted out in a takeover',
      { ...OPERATOR, opted_out: true, takeover_until: at(14) },
      false,
      { kind: 'optedOut' },
    ],
    ['a stage that mutes', {}, true, { kind: 'muted' }],
    ['a takeover on a stage that mutes', { ...OPERATOR, takeover_until: at(14) }, true, { kind: 'muted' }],
    ['off on a stage that mutes', { ai_enabled: false }, true, { kind: 'off' }],
    ['erased', { erased_at: at(-5), opted_out: true }, false, { kind: 'erased' }],
  ])('%s', (_name, fields, isMuted, expected) => {
    expect(switchState(dialog(fields), isMuted, NOW)).toEqual(expected);
  });

  const waits = (minutesAgo = 5): Partial<Switched> => ({
    waiting: true,
    last_message: { role: 'USER', text: 'Здравствуйте', created_at: at(-minutesAgo) },
  });

  it.each<[string, Partial<Switched>, boolean, string | null]>([
    ['nothing waits', { ai_enabled: false }, false, null],
    ['it is on: switching on changes nothing', waits(), false, null],
    ['it is off', { ...waits(), ai_enabled: false }, false, 'answers'],
    ['a takeover runs', { ...waits(), ...OPERATOR, takeover_until: at(3) }, false, 'answers'],
    ['a takeover runs that does not end', { ...waits(), ...OPERATOR }, false, 'answers'],
    ['the stage mutes', { ...waits(), ai_enabled: false }, true, 'muted'],
    ['it is older than a day', { ...waits(25 * 60), ai_enabled: false }, false, 'tooOld'],
    ['the customer unsubscribed', { ...waits(), ai_enabled: false, opted_out: true }, false, null],
  ])('what becomes of the message that waits: %s', (_name, fields, isMuted, expected) => {
    expect(waitingForecast(dialog(fields), isMuted, NOW)).toBe(expected);
  });

  it('knows the colleague who took over, and not oneself or a system', () => {
    const entry = (to: string, actor: object | null) =>
      ({ type: 'handler', to, actor, seq: 1, at: at(0), by: 'OPERATOR_MANUAL', from: 'AI' }) as never;
    const aida = { type: 'user', id: 'a', name: 'Аида' };
    expect(takeoverOwner([entry('OPERATOR', aida)], 'me')).toBe('Аида');
    expect(takeoverOwner([entry('OPERATOR', aida)], 'a')).toBeNull();
    expect(takeoverOwner([entry('OPERATOR', { ...aida, type: 'key' })], 'me')).toBeNull();
    expect(takeoverOwner([entry('OPERATOR', aida), entry('AI', null)], 'me')).toBeNull();
  });
});

describe('links in texts', () => {
  const linksOf = (text: string): (string | undefined)[] =>
    linkParts(text).flatMap(({ href }) => (href === undefined ? [] : [href]));

  it.each([
    ['see https://example.com/a?b=1.', ['https://example.com/a?b=1']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['HTTP://EXAMPLE.com, http://b.kz!', ['HTTP://EXAMPLE.com', 'http://b.kz']],
    ['«https://пример.рф/путь»', ['https://пример.рф/путь']],
    ['javascript:alert(1) data:text/html,x file:///etc/passwd ftp://a.b', []],
    ['https://paypal.com@evil.example/', []],
    ['https://', []],
    ['<a href="https://example.com">x</a>', ['https://example.com']],
    ['https://example.com/\u202egpj.exe', ['https://example.com/']],
  ])('%s', (text, expected) => {
    expect(linksOf(text)).toEqual(expected);
  });

  it('leave every character where it stands', () => {
    const text = 'до https://example.com/a. после\n\u202e👩‍👩‍👧 <b>';
    expect(
      linkParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('the timeline', () => {
  const said = (id: string, minutes: number, fields: object = {}): SaidRow => ({
    key: id,
    draft: null,
    message: {
      ...{ id, role: 'USER', type: 'text', text: id, status: 'received', created_at: at(minutes) },
      ...{ error: null, media: null, message_id: null, sent_at: null },
      ...{ content: null, quoted: null, referral: null, pricing: null, edited_at: null, deleted_at: null },
      author: null,
      ...fields,
    },
  });
  const happened = (seq: number, minutes: number) => ({ seq, at: at(minutes), type: 'ai' }) as never;
  const keys = (parts: Partial<Parameters<typeof timelineRows>[0]>): string[] =>
    timelineRows(
      { messages: [], history: [], hasOlder: false, hasNewer: false, firstUnread: null, ...parts },
      (when) => when.slice(0, 10),
    ).map(({ key }) => key);

  it('weaves what happened between what was said, with a mark for each day', () => {
    const messages = [said('a', -24 * 60), said('b', 0), said('c', 10)];
    const history = [happened(1, -25 * 60), happened(2, 5), happened(3, 11)];
    expect(keys({ messages, history, firstUnread: 'c' })).toEqual([
      ...['day-2026-11-25', 'history-1', 'a', 'day-2026-11-26', 'b', 'history-2', 'unread', 'c', 'history-3'],
    ]);
  });

  it('shows what happened before the oldest message that is read, or after the newest, with their pages', () => {
    const [messages, history] = [[said('a', 0)], [happened(1, -1), happened(2, 1)]];
    expect(keys({ messages, history, hasOlder: true })).toEqual(['day-2026-11-26', 'a', 'history-2']);
    expect(keys({ messages, history, hasNewer: true })).toEqual(['day-2026-11-26', 'history-1', 'a']);
  });

  it('counts the unread from the end, over those that count', () => {
    const messages = [
      ...[said('a', 0), said('b', 1), said('r', 2, { type: 'reaction' }), said('c', 3)],
      said('o', 4, { role: 'AI' }),
    ];
    expect(firstUnreadKey(messages, 2, true)).toBe('b');
    expect(firstUnreadKey(messages, 9, false)).toBe('a');
    // They begin with an older one, which is not here.
    expect(firstUnreadKey(messages, 9, true)).toBeNull();
    expect(firstUnreadKey(messages, 0, false)).toBeNull();
  });
});
