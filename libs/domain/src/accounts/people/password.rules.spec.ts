import fc from 'fast-check';
import { holdsAddress, PASSWORD_LENGTH_MAX, passwordViolation } from './password.rules';

const isCommon = (password: string): boolean => passwordViolation(password)?.includes('commonest') === true;

it.each([
  ['of leaks', ['1q2w3e4r5t', 'Password123', 'iloveyou123']],
  ['of leaks, with digits and signs behind', ['Password123!', 'sunshine12', 'changeme123', '123456789!']],
  ['that count', ['0123456789', '9876543210', '7890123456', '1234567890!']],
  ['that are alphabets', ['abcdefghij', 'zyxwvutsrq', 'абвгдежзий', 'Абвгдеёжзи']],
  ['along keys', ['qwertyuiop', 'poiuytrewq', 'asdfghjkl1', 'йцукенгшщз', 'фывапролдж', 'qwerasdfzxcv']],
  [
    'of Russian words',
    ['пароль1234', 'Привет12345', 'любовь12345!', 'наташа12345', 'Солнышко123', 'алёна12345'],
  ],
  ['of Kazakh words', ['құпиясөз12', 'қазақстан1', 'алматы2024', 'айгерим123']],
  ['of Russian on Latin keys', ['gfhjkm1234', 'k.,jdm12345', 'k.,k.12345', 'rfpf[cnfy1']],
  ['of English on Cyrillic keys', ['зфыыцщкв123', 'Шдщмунщг12']],
  ['of the product', ['leadline123', 'Leadline2026!']],
  ['that repeat', ['123123123123', '1212121212', 'aaaaaaaaaa', 'abcdabcdab', 'дом дом дом ']],
])('the commonest are those %s', (_, passwords) => {
  for (const password of passwords) expect([password, isCommon(password)]).toEqual([password, true]);
});

it.each([
  'seven quiet rivers',
  'correct horse battery staple',
  'correct horse correct horse',
  'три тихие реки',
  'пароль у меня длинный',
  'любовь 4071-9926-3358',
  'тёплый хлеб и чай',
  'ten chars!',
  'sunshine 4071-9926-3358',
  'my password is long',
  '1234 is not my code',
  'k3v9qz7mk3',
  'ab'.repeat(PASSWORD_LENGTH_MAX / 2),
])('%s may be used', (password) => {
  expect(passwordViolation(password)).toBeNull();
});

it('no password of sixteen random characters is refused', () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';
  const drawn = fc.array(fc.constantFrom(...alphabet), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(drawn, (characters) => passwordViolation(characters.join('')) === null),
    { numRuns: 2_000 },
  );
});

it('a password has 10 to 200 characters, as people count them', () => {
  for (const password of ['nine char', '😀'.repeat(9), `${'0123456789'.repeat(20)}x`])
    expect([password, passwordViolation(password)]).toEqual([
      password,
      expect.stringContaining('10 to 200 characters'),
    ]);
  for (const password of ['😀🐫'.repeat(100), ' two blanks around '])
    expect(passwordViolation(password)).toBeNull();
});

it('what only blanks or one sign make, or other forms of a common one, is one of the commonest', () => {
  for (const password of ['          ', 'Qwertyuiop', 'PASSWORD123', '１２３４５６７８９０'])
    expect([password, isCommon(password)]).toEqual([password, true]);
});

it('the address is held whole, or by its local part of four characters and more', () => {
  expect(holdsAddress('ex-host.kz is fine', 'dana@ex-host.kz')).toBe(false);
  expect(holdsAddress('ｄａｎａ of ours!', 'DANA@example.com')).toBe(true);
  expect(holdsAddress('my Dana@example.com', 'dana@example.com')).toBe(true);
  expect(holdsAddress('my DANA word', 'dana@example.com')).toBe(true);
  expect(holdsAddress('my ann word', 'ann@example.com')).toBe(false);
});
