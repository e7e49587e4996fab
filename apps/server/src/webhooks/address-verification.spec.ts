import { challengeOf, VerificationRefusedError } from './address-verification';

const TOKEN = 'a token that Meta was given';
const KNOWN = { 'hub.mode': 'subscribe', 'hub.verify_token': TOKEN, 'hub.challenge': '1158201444' };

it('the challenge of a caller who knows the token is answered as it is', () => {
  expect(challengeOf(KNOWN, TOKEN)).toBe('1158201444');
});

it.each<[string, Record<string, unknown>]>([
  ['another token', { 'hub.verify_token': 'wrong' }],
  ['no token', { 'hub.verify_token': undefined }],
  ['two tokens', { 'hub.verify_token': [TOKEN, TOKEN] }],
  ['another mode', { 'hub.mode': 'unsubscribe' }],
  ['no mode', { 'hub.mode': undefined }],
  ['no challenge', { 'hub.challenge': undefined }],
  ['an empty challenge', { 'hub.challenge': '' }],
  ['two challenges', { 'hub.challenge': ['1', '2'] }],
  ['a challenge with a meaning to browsers', { 'hub.challenge': '<script>' }],
  ['a challenge of two lines', { 'hub.challenge': '1\n' }],
  ['an endless challenge', { 'hub.challenge': '1'.repeat(300) }],
])('%s is refused', (_, given) => {
  expect(() => challengeOf({ ...KNOWN, ...given }, TOKEN)).toThrow(VerificationRefusedError);
});
