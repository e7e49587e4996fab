import { Secret, TOTP } from 'otpauth';
import { hashRecoveryCode, newRecoveryCodes, newSecondFactor, stepOf } from './second-factors.service';

const STEP_MS = 30_000;
const NOW = 1_790_000_000_000;

it('a code is good in its own step, and in the one before and after, and in no other', () => {
  const { secret } = newSecondFactor('dana@example.com');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const present = Math.floor(NOW / STEP_MS);
  const found = [-2, -1, 0, 1, 2].map((steps) =>
    stepOf(secret, totp.generate({ timestamp: NOW + steps * STEP_MS }), NOW),
  );
  expect(found).toEqual([null, present - 1, present, present + 1, null]);
  for (const code of ['', '12345', '1234567', 'abcdef', ' 12345'])
    expect(stepOf(secret, code, NOW)).toBeNull();
});

it('ten recovery codes have 120 bits each, and are the same however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  // With fewer than 112 bits a stored code would need a slow hash.
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){5}$/);
  const [code = ''] = codes;
  expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toEqual(hashRecoveryCode(code));
  expect(hashRecoveryCode(codes[1] ?? '')).not.toEqual(hashRecoveryCode(code));
});
