/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { bodiesOf, fill, openView, refused, screen, signedIn, waitFor } from '../../../testing/page-harness';
import { PasswordSection, SecondFactorSection } from './profile.view';

const CODES = ['aaaa-1111', 'bbbb-2222'];
const press = (name: string): void => screen.getByRole('button', { name }).click();
describe('the password of the profile', () => {
  it('is refused with what is wrong: the present one, its length, or that it is easy', async () => {
    openView(<PasswordSection />, {
      answers: {
        'post /api/v1/auth/change-password': ({ body }) =>
          (body as { current: string }).current === 'wrong one'
            ? refused('WRONG_PASSWORD', { status: 403 })
            : refused('VALIDATION_ERROR', { details: [{ path: 'password', message: 'x' }] }),
      },
    });
    const change = (current: string, password: string): void => {
      fill(screen.getByLabelText(/^Present password/), current);
      fill(screen.getByLabelText(/^New password/), password);
      press('Change the password');
    };
    await screen.findByLabelText(/^Present password/);
    change('wrong one', 'eleven green umbrellas');
    await screen.findByText('The password is wrong.');
    change('a quiet blue river', 'short');
    await screen.findByText('It must have 10 to 200 characters.');
    change('a quiet blue river', 'qwertyuiop12');
    await screen.findByText(/^It is too easy to guess/);
  });
});

describe('the second factor of the profile', () => {
  it('is on by a code of the app, not by a wrong one, and its recovery codes are shown once', async () => {
    openView(<SecondFactorSection />, {
      answers: {
        'get /api/v1/auth/me': signedIn({ second_factor: true }),
        'post /api/v1/auth/second-factor/begin': {
          ...{ secret: 'ABCDEFGH', otpauth_url: 'otpauth://totp/x?secret=ABCDEFGH' },
        },
        'post /api/v1/auth/second-factor/enable': ({ body }) =>
          (body as { code: string }).code === '123456'
            ? { recovery_codes: CODES }
            : refused('SIGN_IN_FAILED', { status: 401 }),
      },
    });
    await screen.findByText('Off: your password alone opens your account.');
    press('Set up');
    await screen.findByText('ABCD EFGH');
    fill(screen.getByLabelText(/^Code of the app/), '000000');
    press('Turn on');
    await screen.findByText(/^This code is wrong\./);
    fill(screen.getByLabelText(/^Code of the app/), '123 456');
    press('Turn on');
    for (const code of CODES) await screen.findByText(code);
    press('I have kept them');
    await screen.findByText('On: you sign in with a code of your authenticator app.');
    expect(screen.queryByText(CODES[0]!)).toBeNull();
  });

  it('is off by the password and a code, and not by wrong ones', async () => {
    openView(<SecondFactorSection />, {
      as: { second_factor: true },
      answers: {
        'get /api/v1/auth/me': signedIn(),
        'post /api/v1/auth/second-factor/disable': ({ body }) =>
          (body as { code: string }).code === CODES[0] ? {} : refused('WRONG_PASSWORD', { status: 403 }),
      },
    });
    const turnOff = (code: string): void => {
      fill(screen.getByLabelText(/^Password/), 'a quiet blue river');
      fill(screen.getByLabelText(/recovery code/), code);
      press('Turn off');
    };
    await screen.findByLabelText(/^Password/);
    turnOff('000000');
    await screen.findByText(/^The password or the code is wrong\./);
    turnOff(` ${CODES[0]} `);
    await waitFor(() => screen.getByText('Off: your password alone opens your account.'));
    expect(bodiesOf('post').at(-1)).toEqual({ password: 'a quiet blue river', code: CODES[0] });
  });
});
