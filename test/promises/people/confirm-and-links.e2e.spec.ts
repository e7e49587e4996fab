import type { Answer } from '../../support/clients/api.client';
import {
  callAuth,
  signIn,
  tokenOf,
  type SessionClient,
  PASSWORD,
} from '../../support/clients/session.client';
import { AccountFixture } from '../../support/database/fixture';
import { holdingRows } from '../../support/faults/held.rows';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { setScene } from '../../support/scenes/base.scene';
import { triesOf } from '../../support/long.mode';
import { inTime } from '../../support/eventually';

/** PostgreSQL looks for a deadlock when something has waited for a second. */
const DEADLOCK_MS = 700;

const scene = setScene({ servers: 2 });
const url = (n = 0): string => scene.urls[n % 2] ?? '';

let networks = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.18.${(networks += 1) >> 8}.${networks & 255}` });

const codeOf = ({ status, body }: Answer): string | number => body.error?.code ?? status;

const times = <T>(count: number, act: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => act(n));

describe('a password given again', () => {
  // By the database's clock: wrong-clocks.e2e.spec.ts.
  it('is good for ten minutes of its session', async () => {
    const admin = await scene.join({ role: 'admin' });
    const other = await signIn(url(1), admin.email, PASSWORD);
    const issue = (session: SessionClient): Promise<Answer> =>
      session.call('admin/api-keys', { name: 'mine', scopes: ['leads'], assistant_ids: [] });
    const later = (by: string) =>
      scene.database.pool.query(
        'UPDATE user_sessions SET confirmed_at = confirmed_at - $2::interval WHERE user_id = $1',
        [admin.userId, by],
      );
    expect(codeOf(await admin.call('auth/confirm', { password: 'wrong password' }))).toBe('WRONG_PASSWORD');
    expect(codeOf(await issue(admin))).toBe('CONFIRM_REQUIRED');
    expect((await admin.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
    expect(codeOf(await issue(other))).toBe('CONFIRM_REQUIRED');
    await later('9 minutes 30 seconds');
    expect(codeOf(await issue(admin.at(url(1))))).not.toBe('CONFIRM_REQUIRED');
    await later('30 seconds');
    expect(codeOf(await issue(admin.at(url(1))))).toBe('CONFIRM_REQUIRED');
  });

  it('is asked for where customers’ words could go elsewhere, dialogs go, or sign-in gets weaker, and not for the rest', async () => {
    const admin = await scene.join({ role: 'admin' });
    const { id, assistantId, botId, stages } = scene.account;
    const url = 'https://example.com/';
    const tool = {
      name: 'look',
      description: 'd',
      method: 'GET',
      url,
      parameters: { type: 'object', properties: {} },
    };
    const scenario = (steps: object[]) =>
      admin.call('admin/scenarios', { status_id: stages[0], name: 'out', steps });
    const account = (change: object) => admin.call(`admin/accounts/${id}`, change, 'PATCH');
    const calls: (() => Promise<Answer>)[] = [
      () => admin.call(`admin/assistants/${assistantId}/tools`, tool),
      () => admin.call(`admin/bots/${botId}/channels/waba`, {}, 'PUT'),
      () =>
        scenario([
          { kind: 'wait', seconds: 1 },
          { kind: 'http', method: 'POST', url },
        ]),
      () => account({ retention_days: 30_000 }),
      () => account({ second_factor_required: false }),
    ];
    for (const call of calls) expect(codeOf(await call())).toBe('CONFIRM_REQUIRED');
    const made = await scenario([{ kind: 'wait', seconds: 1 }]);
    expect(made.status).toBe(201);
    const path = `admin/scenarios/${made.body.data.id as string}`;
    const change = (steps: object[]) => admin.call(path, { steps }, 'PATCH');
    expect(codeOf(await change([{ kind: 'http', method: 'POST', url }]))).toBe('CONFIRM_REQUIRED');
    expect((await account({ automation_paused: false })).status).toBe(200);
    expect((await admin.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
    for (const call of calls) expect(codeOf(await call())).not.toBe('CONFIRM_REQUIRED');
    expect((await change([{ kind: 'http', method: 'POST', url }])).status).toBe(200);
  });
});

describe('a password', () => {
  it('is taken as it is: blanks and case count, and how a keyboard composes letters does not', async () => {
    const { email, token } = await scene.invite();
    const password = '  Café at the Quay  ';
    const accepted = await callAuth(url(), 'accept-invitation', { token, password }, elsewhere());
    expect(accepted.status).toBe(200);
    const enter = async (given: string): Promise<number> =>
      (await callAuth(url(), 'sign-in', { email, password: given }, elsewhere())).status;
    for (const given of [password.trim(), password.toLowerCase()])
      expect([given, await enter(given)]).toEqual([given, 401]);
    expect(await enter(password.normalize('NFD'))).toBe(200);
  });
});

describe('a link to set a password', () => {
  const open = (token: string, n = 0): Promise<Answer> =>
    callAuth(url(n), 'accept-invitation', { token, password: PASSWORD }, elsewhere());
  const hoursOf = (invitation: { expires_at: string }): number =>
    Math.round((Date.parse(invitation.expires_at) - Date.now()) / 3_600_000);
  const later = (id: string, by: string) =>
    scene.database.pool.query(
      'UPDATE invitations SET expires_at = expires_at - $2::interval WHERE user_id = $1',
      [id, by],
    );
  const renew = async (id: string): Promise<{ url: string; expires_at: string }> => {
    const { body } = await scene.admin.call(`admin/users/${id}/invitation`, {});
    return body.data.invitation as { url: string; expires_at: string };
  };

  it('is used by one of six at once, on two processes', async () => {
    const { token } = await scene.invite();
    const answers = await Promise.all(times(6, (n) => open(token, n)));
    expect(answers.map(codeOf).sort()).toEqual([200, ...Array<string>(5).fill('INVITATION_NOT_FOUND')]);
  });

  it('is good for seven days, and for an hour where it resets a password; then it is as an unknown one', async () => {
    const unknown = refusalOf(await open('x'.repeat(43)));
    const { id, token } = await scene.invite();
    await later(id, '7 days');
    expect(refusalOf(await open(token))).toEqual(unknown);
    const second = await renew(id);
    expect(hoursOf(second)).toBe(7 * 24);
    await later(id, '6 days 23 hours');
    expect((await open(tokenOf(second.url))).status).toBe(200);
    const reset = await renew(id);
    expect(hoursOf(reset)).toBe(1);
    await later(id, '1 hour');
    expect(refusalOf(await open(tokenOf(reset.url)))).toEqual(unknown);
  });

  it('is void once there is a newer one, a changed password or a disabled person', async () => {
    const person = await scene.join();
    const unknown = refusalOf(await open('x'.repeat(43)));
    const [first, second] = [await renew(person.userId), await renew(person.userId)];
    expect(refusalOf(await open(tokenOf(first.url)))).toEqual(unknown);
    const session = await signIn(url(), person.email, PASSWORD);
    await session.call('auth/change-password', { current: PASSWORD, password: 'six quiet meadows' });
    expect(refusalOf(await open(tokenOf(second.url)))).toEqual(unknown);
    const third = await renew(person.userId);
    for (const disabled of [true, false])
      await scene.admin.call(`admin/users/${person.userId}`, { disabled }, 'PATCH');
    expect(refusalOf(await open(tokenOf(third.url)))).toEqual(unknown);
  });

  it('is used while it is taken away, and neither call waits for the other to be given up', async () => {
    const { id, token } = await scene.invite();
    const ways = [
      () => scene.admin.call(`admin/users/${id}`, { disabled: true }, 'PATCH'),
      () => open(token, 1),
    ];
    const calls: Promise<Answer>[] = [];
    let released = 0;
    await holdingRows(scene.database.pool, 'users', scene.account.id, async () => {
      for (const way of ways) {
        calls.push(way());
        await untilWaiting(scene.database.pool, calls.length, { words: '"users"' });
      }
      released = performance.now();
    });
    expect((await Promise.all(calls)).map(codeOf)).toEqual([200, 'INVITATION_NOT_FOUND']);
    expect(performance.now() - released).toBeLessThan(inTime(DEADLOCK_MS));
  });
});

describe('the last admin of an account', () => {
  it('stays one, though two admins take each other’s role at once', async () => {
    const { id } = await AccountFixture.create(scene.database.pool);
    const admins = await Promise.all(times(2, () => scene.join({ account_id: id, role: 'admin' })));
    const ways = [{ role: 'operator' }, { disabled: true }];
    const active = async (): Promise<number> => {
      const { body } = await scene.admin.call(`admin/users?account_id=${id}`, undefined, 'GET');
      return (body.data.users as { role: string; disabled: boolean }[]).filter(
        ({ role, disabled }) => role === 'admin' && !disabled,
      ).length;
    };
    await Promise.all(admins.map((admin) => admin.call('auth/confirm', { password: PASSWORD })));
    const byThemselves = await Promise.all(
      admins.map((admin, n) =>
        admin.at(url(n)).call(`admin/users/${admins[1 - n]?.userId}`, ways[n], 'PATCH'),
      ),
    );
    expect(byThemselves.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await active()).toBe(1);
    for (let round = 0; round < triesOf(2, 10); round++) {
      for (const { userId } of admins)
        await scene.admin.call(`admin/users/${userId}`, { role: 'admin', disabled: false }, 'PATCH');
      const answers = await Promise.all(
        admins.map(({ userId }, n) =>
          scene.apiAt(n, scene.adminKey).admin('PATCH', `users/${userId}`, ways[(n + round) % 2]),
        ),
      );
      expect(answers.map(codeOf).sort()).toEqual([200, 'LAST_ADMIN']);
      expect(await active()).toBe(1);
    }
  });
});

it('the last admin who can sign in stays: one who is only invited, or is disabled, is no other', async () => {
  const { id } = await AccountFixture.create(scene.database.pool);
  const first = await scene.join({ account_id: id, role: 'admin' });
  const expectLast = async (userId: string): Promise<void> => {
    for (const change of [{ role: 'operator' }, { disabled: true }]) {
      const refused = await scene.admin.call(`admin/users/${userId}`, change, 'PATCH');
      expect([refused.status, codeOf(refused)]).toEqual([409, 'LAST_ADMIN']);
    }
  };
  await expectLast(first.userId);
  expect((await first.call('auth/me')).status).toBe(200);
  const change = async (userId: string, body: object): Promise<number> =>
    (await scene.admin.call(`admin/users/${userId}`, body, 'PATCH')).status;
  const invited = await scene.invite({ account_id: id, role: 'admin' });
  await expectLast(first.userId);
  expect(await change(invited.id, { disabled: true })).toBe(200);
  const second = await scene.join({ account_id: id, role: 'admin' });
  expect(await change(first.userId, { disabled: true })).toBe(200);
  await expectLast(second.userId);
});

it('the only admin of an account stays, who is only invited', async () => {
  const { id } = await AccountFixture.create(scene.database.pool);
  const invited = await scene.invite({ account_id: id, role: 'admin' });
  const refused = await scene.admin.call(`admin/users/${invited.id}`, { disabled: true }, 'PATCH');
  expect([refused.status, codeOf(refused)]).toEqual([409, 'LAST_ADMIN']);
});

it('an address is one person’s over all accounts, however it is written, by eight at once too', async () => {
  const { id } = await AccountFixture.create(scene.database.pool);
  const written = ['taken@Example.com', 'TAKEN@EXAMPLE.COM', 'ｔａｋｅｎ@example.com', 'taken@example.com'];
  const create = (email: string, n: number): Promise<Answer> =>
    scene.apiAt(n, scene.adminKey).admin('POST', 'users', {
      ...{ account_id: n % 3 ? id : scene.account.id, name: 'One of many', role: 'operator', email },
    });
  const answers = await Promise.all(times(8, (n) => create(written[n % 4] ?? '', n)));
  expect(answers.map(codeOf).sort()).toEqual([201, ...Array<string>(7).fill('EMAIL_TAKEN')]);
  const other = await scene.invite();
  const changed = await scene.admin.call(`admin/users/${other.id}`, { email: 'Taken@example.COM' }, 'PATCH');
  expect([changed.status, codeOf(changed)]).toEqual([409, 'EMAIL_TAKEN']);
});

it('another clash than that of the address is no address that is taken', async () => {
  const fields = { account_id: scene.account.id, role: 'operator', name: 'Twice the same' };
  const create = (email: string): Promise<Answer> => scene.admin.admin('POST', 'users', { ...fields, email });
  expect((await create('first-of-the-name@example.com')).status).toBe(201);
  await scene.database.pool.query(
    `CREATE UNIQUE INDEX planted ON users (name) WHERE name = 'Twice the same'`,
  );
  try {
    expect(codeOf(await create('second-of-the-name@example.com'))).toBe('INTERNAL_ERROR');
  } finally {
    await scene.database.pool.query('DROP INDEX planted');
  }
});
