import type { Answer } from '../../support/clients/api.client';
import { Authenticator, untilStepIsLong } from '../../support/clients/authenticator';
import { callAuth, tokenOf, type SessionClient } from '../../support/clients/session.client';
import { boardBy } from '../../support/clients/session.watch';
import { dumpOf } from '../../support/database/database.dump';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { refusalOf } from '../../support/scenes/lead.scene';
import { PASSWORD, setPeopleScene } from '../../support/scenes/people.scene';

const scene = setPeopleScene({ servers: 2, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
const url = (n = 0): string => scene.urls[n % 2] ?? '';

let networks = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.18.${(networks += 1) >> 8}.${networks & 255}` });

const enter = (email: string, code?: string, password = PASSWORD, at = 0): Promise<Answer> =>
  callAuth(url(at), 'sign-in', { email, password, code }, elsewhere());

const outcome = ({ status, body }: Answer): string => (status === 200 ? 'in' : body.error.code);

type Person = Awaited<ReturnType<typeof scene.join>>;

async function joinWithApp(): Promise<{ person: Person; app: Authenticator }> {
  const person = await scene.join();
  return { person, app: await Authenticator.enable(person) };
}

/** As if no code of these steps had been used. */
const forgetSteps = ({ userId }: SessionClient) =>
  scene.database.pool.query('UPDATE users SET second_factor_step = NULL WHERE id = $1', [userId]);

describe('a second factor', () => {
  it('is asked for once its first code was given, and a wrong code is as a wrong password', async () => {
    const person = await scene.join();
    const begun = await person.call('auth/second-factor/begin', {});
    expect(begun.body.data.otpauth_url).toContain(begun.body.data.secret);
    const refused = await person.call('auth/second-factor/enable', { code: '000000' });
    expect([refused.status, refused.body.error.details?.[0]?.path]).toEqual([422, 'code']);
    expect(outcome(await enter(person.email))).toBe('in');
    const app = await Authenticator.enable(person);
    expect((await person.call('auth/me')).body.data.user.second_factor).toBe(true);
    expect(outcome(await person.call('auth/second-factor/begin', {}))).toBe('ALREADY_EXISTS');
    const none = await enter(person.email);
    expect([outcome(none), none.status, none.headers.getSetCookie()]).toEqual(['CODE_REQUIRED', 401, []]);
    const wrongPassword = await enter(person.email, app.code(), 'wrong password');
    expect(outcome(wrongPassword)).toBe('SIGN_IN_FAILED');
    expect(refusalOf(await enter(person.email, app.wrongCode()))).toEqual(refusalOf(wrongPassword));
    // What came with a wrong password is not used up.
    expect(outcome(await enter(person.email, app.code()))).toBe('in');
  });

  it('has codes that are good once, on two processes at once too, and none that is older', async () => {
    const { person, app } = await joinWithApp();
    const code = app.code(1);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => enter(person.email, code, PASSWORD, n)),
    );
    expect(answers.map(outcome).sort()).toEqual([...Array<string>(11).fill('SIGN_IN_FAILED'), 'in']);
    expect(outcome(await enter(person.email, app.code()))).toBe('SIGN_IN_FAILED');
  });

  it('takes the code of a step before and after, by the database’s clock, and no other', async () => {
    const { person, app } = await joinWithApp();
    const wrong = await scene.addServer({ ...planted('wrong-clock'), WRONG_CLOCK_MS: '3600000' });
    for (const at of [url(), wrong.url]) {
      await untilStepIsLong();
      const outcomes: string[] = [];
      for (const steps of [-2, -1, 0, 1, 2]) {
        await forgetSteps(person);
        const body = { email: person.email, password: PASSWORD, code: app.code(steps) };
        outcomes.push(outcome(await callAuth(at, 'sign-in', body, elsewhere())));
      }
      expect(outcomes).toEqual(['SIGN_IN_FAILED', 'in', 'in', 'in', 'SIGN_IN_FAILED']);
    }
  });

  it('has ten recovery codes, each good once, however it is typed, and for its person only', async () => {
    const [{ person, app }, other] = [await joinWithApp(), await joinWithApp()];
    expect(new Set(app.recoveryCodes).size).toBe(10);
    // 120 bits, in Base32: with fewer than 112 a stored code would need a slow hash.
    for (const code of app.recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){5}$/);
    const [first = '', second = '', third = ''] = app.recoveryCodes;
    expect(outcome(await enter(other.person.email, first))).toBe('SIGN_IN_FAILED');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => enter(person.email, first, PASSWORD, n)),
    );
    expect(answers.map(outcome).filter((each) => each === 'in')).toHaveLength(1);
    expect(outcome(await enter(person.email, ` ${second.toUpperCase().replaceAll('-', ' ')} `))).toBe('in');
    const disabled = await person.call('auth/second-factor/disable', { password: PASSWORD, code: third });
    expect(disabled.status).toBe(200);
    await Authenticator.enable(person);
    expect(outcome(await enter(person.email, app.recoveryCodes[3]))).toBe('SIGN_IN_FAILED');
  });

  it('is asked for by a link too, which stays good until its code comes', async () => {
    const { person, app } = await joinWithApp();
    const { body } = await scene.admin.call(`admin/users/${person.userId}/invitation`, {});
    const token = tokenOf(body.data.invitation.url as string);
    const open = (code?: string) =>
      callAuth(url(), 'accept-invitation', { token, password: 'nine quiet valleys', code }, elsewhere());
    expect(outcome(await open())).toBe('CODE_REQUIRED');
    expect(outcome(await open(app.wrongCode()))).toBe('SIGN_IN_FAILED');
    expect(outcome(await open(app.code(1)))).toBe('in');
    expect(outcome(await open(app.code(1)))).toBe('INVITATION_NOT_FOUND');
  });

  it('is taken away by password and code, or by an admin', async () => {
    const { person, app } = await joinWithApp();
    const disable = (password: string, code: string): Promise<Answer> =>
      person.call('auth/second-factor/disable', { password, code });
    expect(outcome(await disable('wrong password', app.code()))).toBe('WRONG_PASSWORD');
    expect(outcome(await disable(PASSWORD, app.wrongCode()))).toBe('WRONG_PASSWORD');
    expect(outcome(await enter(person.email))).toBe('CODE_REQUIRED');
    expect(outcome(await disable(PASSWORD, app.code(1)))).toBe('in');
    expect(outcome(await enter(person.email))).toBe('in');
    const again = await Authenticator.enable(person);
    await scene.admin.call(`admin/users/${person.userId}`, { second_factor: false }, 'PATCH');
    expect(outcome(await enter(person.email))).toBe('in');
    expect(outcome(await disable(PASSWORD, again.code(1)))).toBe('WRONG_PASSWORD');
  });

  it('that an account demands is enabled before anything else is done, on boards too', async () => {
    const person = await scene.join();
    const board = await boardBy(person);
    const demand = (is: boolean) =>
      scene.database.pool.query('UPDATE accounts SET second_factor_required = $2 WHERE id = $1', [
        scene.account.id,
        is,
      ]);
    await demand(true);
    try {
      expect(outcome(await person.call('leads/get-statuses', {}))).toBe('FORBIDDEN');
      await expect(boardBy(person)).rejects.toMatchObject({ message: 'FORBIDDEN' });
      await eventually(() => Promise.resolve(board.disconnectedBecause), 2_000, 'the board was not closed');
      await Authenticator.enable(person);
      expect(outcome(await person.call('leads/get-statuses', {}))).toBe('in');
      expect(outcome(await enter(person.email))).toBe('CODE_REQUIRED');
    } finally {
      await demand(false);
    }
  });

  it('is stored so that the database shows neither its secret, nor a code, nor a password or a link', async () => {
    const person = await scene.join();
    const { token } = await scene.invite();
    const { body } = await person.call('auth/second-factor/begin', {});
    const app = await Authenticator.enable(person);
    const dump = JSON.stringify(await dumpOf(scene.database.pool));
    const secrets = [body.data.secret as string, app.secret, ...app.recoveryCodes, PASSWORD, token];
    secrets.push(decodeURIComponent(person.cookie).replace(/^leadline=s:|\..*$/g, ''), person.csrfToken);
    const stored = (text: string): boolean =>
      dump.includes(text) || dump.includes(Buffer.from(text).toString('hex'));
    expect(secrets.filter(stored)).toEqual([]);
  });
});
