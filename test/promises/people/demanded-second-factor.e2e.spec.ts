import { randomUUIDv7 } from 'node:crypto';
import { TOTP } from 'otpauth';
import { request } from '../../support/clients/api.client';
import { operationsOf, type Operation } from '../../support/clients/openapi.operations';
import { callAuth, sessionOf, type SessionClient } from '../../support/clients/session.client';
import { boardBy, ENDED_WITHIN_MS } from '../../support/clients/session.watch';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { PASSWORD, setPeopleScene } from '../../support/scenes/people.scene';

const scene = setPeopleScene();
const url = (): string => scene.server.url;

const demand = async (accountId: string, required: boolean): Promise<void> => {
  const { body } = await scene.admin.admin('PATCH', `accounts/${accountId}`, {
    second_factor_required: required,
  });
  expect(body.data).toMatchObject({ second_factor_required: required });
};

/** An account of its own, with somebody who has no second factor yet. */
async function newcomer(role: 'operator' | 'admin'): Promise<SessionClient & { email: string; own: string }> {
  const own = await AccountFixture.create(scene.database.pool);
  const person = await scene.join({ account_id: own.id, role });
  return Object.assign(person, { own: own.id });
}

/** Enables a second factor, and gives what makes its codes. */
async function enable(person: SessionClient): Promise<{ totp: TOTP; recovery: string[] }> {
  const { body: begun } = await person.call('auth/second-factor/begin', {});
  const totp = new TOTP({ secret: begun.data.secret as string });
  const { body: enabled } = await person.call('auth/second-factor/enable', { code: totp.generate() });
  return { totp, recovery: enabled.data.recovery_codes as string[] };
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
    const { recovery } = await enable(session);
    expect(recovery).toHaveLength(10);
    expect(codeOf(await session.call('messages/get-threads', {}))).toBe('ok');
    await session.call('auth/second-factor/disable', { password: PASSWORD, code: recovery[0] });
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

describe('sign-in with a second factor', () => {
  it('needs a code that is good once, or a recovery code that is good once', async () => {
    const person = await newcomer('operator');
    const { totp, recovery } = await enable(person);
    const signIn = async (code?: string): Promise<string> =>
      codeOf(await callAuth(url(), 'sign-in', { email: person.email, password: PASSWORD, code }));
    // The step of the code that enabled it is used; the next one counts already.
    const next = totp.generate({ timestamp: Date.now() + 30_000 });
    expect([await signIn(), await signIn(next), await signIn(next)]).toEqual([
      'CODE_REQUIRED',
      'ok',
      'SIGN_IN_FAILED',
    ]);
    expect([await signIn(recovery[0]), await signIn(recovery[0])]).toEqual(['ok', 'SIGN_IN_FAILED']);
    const wrong = { email: person.email, password: 'not the password' };
    expect(codeOf(await callAuth(url(), 'sign-in', wrong))).toBe('SIGN_IN_FAILED');
  });
});

describe('the settings of an account', () => {
  it('are its admin’s to change, but for the quotas; an operator’s and a stranger’s are not', async () => {
    const admin = await newcomer('admin');
    const change = async (by: SessionClient, id: string, body: object): Promise<string> =>
      codeOf(await by.call(`admin/accounts/${id}`, body, 'PATCH'));
    expect(await change(admin, admin.own, { second_factor_required: false, name: 'Ours' })).toBe('ok');
    for (const quota of [{ monthly_message_quota: 5 }, { media_quota_bytes: null }])
      expect([quota, await change(admin, admin.own, quota)]).toEqual([quota, 'FORBIDDEN']);
    const demanded = { second_factor_required: true };
    expect(await change(admin, scene.account.id, demanded)).toBe('ACCOUNT_NOT_FOUND');
    expect(await change(await scene.join(), scene.account.id, demanded)).toBe('FORBIDDEN');
    const { body } = await scene.admin.admin('GET', `accounts/${admin.own}`);
    expect(body.data).toMatchObject({ name: 'Ours', monthly_message_quota: null, media_quota_bytes: null });
  });
});
