import { Secret, TOTP } from 'otpauth';
import { eventually } from '../eventually';
import type { SessionClient } from './session.client';

const PERIOD_MS = 30_000;

/** What a test takes at most from setting it up to its last code. */
const STEP_LEFT_MS = 8_000;

const codeOf = (totp: TOTP, steps: number): string =>
  totp.generate({ timestamp: Date.now() + steps * PERIOD_MS });

/** Waits out the end of a step, so that a code is checked in the step in which it was made. */
export async function untilStepIsLong(): Promise<void> {
  const isLong = (): boolean => Date.now() % PERIOD_MS < PERIOD_MS - STEP_LEFT_MS;
  await eventually(() => Promise.resolve(isLong()), 2 * STEP_LEFT_MS, 'no new step began');
}

/** An authenticator app that a person has set up, with the recovery codes that came with it. */
export class Authenticator {
  private constructor(
    private readonly totp: TOTP,
    readonly recoveryCodes: readonly string[],
  ) {}

  /** Sets one up, by the code of the step before: those of now and of the next step stay unused. */
  static async enable(session: SessionClient): Promise<Authenticator> {
    await untilStepIsLong();
    const begun = await session.call('auth/second-factor/begin', {});
    const totp = new TOTP({ secret: Secret.fromBase32(begun.body.data.secret as string) });
    const { body, text } = await session.call('auth/second-factor/enable', { code: codeOf(totp, -1) });
    if (!body.ok) throw new Error(text);
    return new Authenticator(totp, body.data.recovery_codes as string[]);
  }

  get secret(): string {
    return this.totp.secret.base32;
  }

  /** The code of so many steps of 30 s from now. */
  code(steps = 0): string {
    return codeOf(this.totp, steps);
  }

  /** Six digits that are no code of any time near now. */
  wrongCode(): string {
    const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)));
    for (let n = 100_000; ; n++) if (!near.has(String(n))) return String(n);
  }
}
