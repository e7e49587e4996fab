import type { Channel } from '@app/contracts/message.words';
import { settingsOf, violationsOfNumber } from './number.rules';

const CLOUD = { sender: '106540352242922', settings: { waba_id: '102290129340398' } };
const GUPSHUP = { sender: '77015550100', settings: { app_id: 'a1a1a1a1-0000-4000', app_name: 'ClinicApp' } };

it.each<[Channel, typeof CLOUD | typeof GUPSHUP]>([
  ['waba_coexistence', CLOUD],
  ['waba', GUPSHUP],
])(
  'a number of %s has what its provider knows it by, and nothing else is kept',
  (channel, { sender, settings }) => {
    expect(violationsOfNumber(channel, { sender, settings })).toEqual([]);
    expect(settingsOf(channel, { ...settings, more: 'x' })).toEqual(settings);
  },
);

it.each<[Channel, string, Record<string, unknown>, paths: string[], words: string]>([
  ['waba_coexistence', '+77010000001', CLOUD.settings, ['sender'], '5 to 20 digits'],
  ['waba_coexistence', '1', CLOUD.settings, ['sender'], '5 to 20 digits'],
  ['waba_coexistence', CLOUD.sender, {}, ['settings.waba_id'], 'is required'],
  ['waba_coexistence', CLOUD.sender, { waba_id: 5 }, ['settings.waba_id'], '5 to 20 digits'],
  ['waba_coexistence', CLOUD.sender, { waba_id: '1' }, ['settings.waba_id'], '5 to 20 digits'],
  ['waba', '+77015550100', GUPSHUP.settings, ['sender'], '7 to 15 digits'],
  ['waba', '770155', GUPSHUP.settings, ['sender'], '7 to 15 digits'],
  ['waba', GUPSHUP.sender, CLOUD.settings, ['settings.app_id', 'settings.app_name'], 'is required'],
  [
    'waba',
    GUPSHUP.sender,
    { ...GUPSHUP.settings, app_id: 'x'.repeat(101) },
    ['settings.app_id'],
    'up to 100',
  ],
  [
    'waba',
    GUPSHUP.sender,
    { ...GUPSHUP.settings, app_name: 'Клиника' },
    ['settings.app_name'],
    'visible ASCII',
  ],
])('of %s: the number %s with %j is wrong at %j: %s', (channel, sender, settings, paths, words) => {
  const violations = violationsOfNumber(channel, { sender, settings });
  expect(violations.map(({ path }) => path)).toEqual(paths);
  expect(violations[0]?.message).toContain(words);
});

const SECRET = '1f83d9abfb41bd6b5be0cd19137e2179';

it('a number at Meta may have the secret of one app, as hard to guess as those of the installation', () => {
  const violationsWith = (appSecret: string | null) =>
    violationsOfNumber('waba_coexistence', { ...CLOUD, appSecret }).map(({ message }) => message);
  expect([violationsWith(SECRET), violationsWith(null)]).toEqual([[], []]);
  expect(violationsWith('')[0]).toContain('too short');
  expect(violationsWith('1f83d9ab')[0]).toContain('too short');
  expect(violationsWith('changemechangeme')[0]).toContain('well-known');
  expect(violationsWith(`${SECRET},${SECRET}`)[0]).toContain('without commas');
});

it('a number at Gupshup, which signs nothing, has no app secret', () => {
  const violations = violationsOfNumber('waba', { ...GUPSHUP, appSecret: SECRET });
  expect(violations.map(({ path }) => path)).toEqual(['app_secret']);
});
