import { randomUUIDv7 } from 'node:crypto';
import { type Answer, request } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import {
  callAuth,
  tokenOf,
  type SessionClient,
  sessionOf,
  PASSWORD,
} from '../../support/clients/session.client';
import { boardBy, ENDED_WITHIN_MS } from '../../support/clients/session.watch';
import { dumpOf } from '../../support/database/database.dump';
import { eventually } from '../../support/eventually';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';
import { operationsOf, type Operation } from '../../support/clients/openapi.operations';
import { AccountFixture } from '../../support/database/fixture';

const scene = setScene({ servers: 2 });
const url = (n = 0): string => scene.urls[n % 2] ?? '';
let networks = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.18.${(networks += 1) >> 8}.${networks & 255}` });

const enter = (email: string, code?: string, password = PASSWORD, at = 0): Promise<Answer> =>
  callAuth(url(at), 'sign-in', { email, password, code }, elsewhere());

const outcome = ({ status, body }: Answer): string => (status === 200 ? 'in' : body.error.code);

type Person = Awaited<ReturnType<typeof scene.join>>;

async function joinWithApp(fields = {}): Promise<{ person: Person; app: Authenticator }> {
  const person = await scene.join(fields);
  return { person, app: await Authenticator.enable(person) };
}

// Of which step a code is good is in second-factors.service.spec.ts, by which clock in wrong-clocks.e2e.spec.ts.
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
      Array.from({ length: 6 }, (_, n) => enter(person.email, code, PASSWORD, n)),
    );
    expect(answers.map(outcome).sort()).toEqual([...Array<string>(5).fill('SIGN_IN_FAILED'), 'in']);
    expect(outcome(await enter(person.email, app.code()))).toBe('SIGN_IN_FAILED');
  });

  it('has ten recovery codes, each good once, however it is typed, and for its person only', async () => {
    const [{ person, app }, other] = [await joinWithApp(), await joinWithApp()];
    const [first = '', second = '', third = ''] = app.recoveryCodes;
    expect(outcome(await enter(other.person.email, first))).toBe('SIGN_IN_FAILED');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => enter(person.email, first, PASSWORD, n)),
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

  it('is not taken off oneself without a code of it, though the password was given again', async () => {
    const { person, app } = await joinWithApp({ role: 'admin' });
    expect(outcome(await person.call('auth/confirm', { password: PASSWORD }))).toBe('in');
    const take = (id: string) => person.call(`admin/users/${id}`, { second_factor: false }, 'PATCH');
    await scene.expectRefused(() => take(person.userId), 'VALIDATION_ERROR', ['second_factor']);
    expect(outcome(await enter(person.email))).toBe('CODE_REQUIRED');
    const { person: other } = await joinWithApp();
    expect((await take(other.userId)).body.data).toMatchObject({ second_factor: false });
    expect(
      outcome(await person.call('auth/second-factor/disable', { password: PASSWORD, code: app.code(1) })),
    ).toBe('in');
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

describe('a second factor that an account demands', () => {
  const demand = async (accountId: string, required: boolean): Promise<void> => {
    const { body } = await scene.admin.admin('PATCH', `accounts/${accountId}`, {
      second_factor_required: required,
    });
    expect(body.data).toMatchObject({ second_factor_required: required });
  };

  /** An account of its own, with somebody who has no second factor yet. */
  async function newcomer(
    role: 'operator' | 'admin',
  ): Promise<SessionClient & { email: string; own: string }> {
    const own = await AccountFixture.create(scene.database.pool);
    const person = await scene.join({ account_id: own.id, role });
    return Object.assign(person, { own: own.id });
  }

  const codeOf = ({ body }: { body: { error?: { code: string } } }): string => body.error?.code ?? 'ok';

  describe('an account that demands a second factor', () => {
    it('lets a person without one do nothing but the operations of sign-in, whatever operations there are', async () => {
      const person = await newcomer('admin');
      await person.call('auth/confirm', { password: PASSWORD });
      await demand(person.own, true);
      const { body: document } = await request(`${url()}/openapi.json`);
      const operations = operationsOf(document).filter(({ ways }) => ways.some((way) => 'Session' in way));
      const call = ({ method, path }: Operation) =>
        person.call(
          path.replace('/api/v1/', '').replaceAll(/\{\w+\}/g, randomUUIDv7()),
          // Refused by each operation that takes a body, so that nothing changes.
          method === 'GET' || method === 'DELETE' ? undefined : { nobody_knows_this_field: true },
          method,
        );
      const isOfSignIn = ({ path }: Operation): boolean => path.startsWith('/api/v1/auth/');
      const [own, others] = [operations.filter(isOfSignIn), operations.filter((each) => !isOfSignIn(each))];
      expect([own.length > 8, others.length > 60]).toEqual([true, true]);
      const found: Record<string, string> = {};
      for (const each of others) found[`${each.method} ${each.path}`] = codeOf(await call(each));
      expect(found).toEqual(
        Object.fromEntries(others.map(({ method, path }) => [`${method} ${path}`, 'FORBIDDEN'])),
      );
      for (const each of own.filter(({ path }) => !path.endsWith('sign-out')))
        expect([each.path, codeOf(await call(each))]).not.toEqual([each.path, 'FORBIDDEN']);
      expect(codeOf(await person.call('auth/sign-out', {}))).toBe('ok');
    });

    it('says so at sign-in, and lets the person work once a second factor is enabled', async () => {
      const person = await newcomer('operator');
      await demand(person.own, true);
      const signedIn = await callAuth(url(), 'sign-in', { email: person.email, password: PASSWORD });
      expect(signedIn.body.data.account.second_factor_required).toBe(true);
      const session = sessionOf(url(), signedIn);
      expect(codeOf(await session.call('messages/get-threads', {}))).toBe('FORBIDDEN');
      const { recoveryCodes } = await Authenticator.enable(session);
      expect(recoveryCodes).toHaveLength(10);
      expect(codeOf(await session.call('messages/get-threads', {}))).toBe('ok');
      await session.call('auth/second-factor/disable', { password: PASSWORD, code: recoveryCodes[0] });
      expect(codeOf(await session.call('messages/get-threads', {}))).toBe('FORBIDDEN');
    });

    it('closes the open boards of a person without one, and opens none', async () => {
      const own = await AccountFixture.create(scene.database.pool);
      const person = await scene.join({ account_id: own.id });
      const board = await boardBy(person);
      await board.open(own.assistantId);
      await demand(own.id, true);
      await eventually(
        () => Promise.resolve(board.disconnectedBecause),
        ENDED_WITHIN_MS,
        'the board of a person without a second factor was not closed',
      );
      await expect(boardBy(person)).rejects.toThrow('FORBIDDEN');
      await demand(own.id, false);
      (await boardBy(person)).close();
    });
  });
});
