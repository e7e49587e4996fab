import type { Answer } from '../../support/clients/api.client';
import { requestLiterally } from '../../support/clients/raw.request';
import { expectRefused, refusalOf } from '../../support/clients/refusal.expectation';
import { callAuth, PASSWORD } from '../../support/clients/session.client';
import { setScene } from '../../support/scenes/base.scene';

const TRIES = 12;
const MIB = 1024 * 1024;
/** Passwords that are refused whoever chooses them. */
const UNUSABLE = ['short', 'a b'.repeat(67), '1q2w3e4r5t'];

const scene = setScene();
const url = (): string => scene.server.url;

let networks = 0;
const elsewhere = () => ({ 'X-Forwarded-For': `198.18.${(networks += 1) >> 8}.${networks & 255}` });

const outcome = ({ status, body }: Answer): unknown[] => [status, body.error?.code];
const pathOf = ({ body }: Answer): string | undefined => body.error?.details?.[0]?.path;

describe('a password that nobody may use', () => {
  it('is told before the link that comes with it is looked up', async () => {
    const accept = () => callAuth(url(), 'accept-invitation', { token: 'x', password: 'short' }, elsewhere());
    await expectRefused(scene.database.pool, accept, [422, 'VALIDATION_ERROR'], ['password']);
  });

  it('is told before the present one is tried, so it is no wrong try', async () => {
    const person = await scene.join();
    for (let n = 0; n < TRIES; n++) {
      const password = [...UNUSABLE, `x ${person.email} x`][n % (UNUSABLE.length + 1)];
      const refused = await person.call('auth/change-password', { current: 'not the present one', password });
      expect([...outcome(refused), pathOf(refused)]).toEqual([422, 'VALIDATION_ERROR', 'password']);
    }
    const right = { current: PASSWORD, password: 'six quiet meadows' };
    expect((await person.call('auth/change-password', right)).status).toBe(200);
  });

  it('holds the address of whom a good link invites, which stays good', async () => {
    const { token } = await scene.invite({ email: 'holder-of-it@example.com' });
    const password = 'my holder-of-it word';
    const refused = await callAuth(url(), 'accept-invitation', { token, password }, elsewhere());
    expect([...outcome(refused), pathOf(refused)]).toEqual([422, 'VALIDATION_ERROR', 'password']);
    const unknown = await callAuth(url(), 'accept-invitation', { token: 'x', password }, elsewhere());
    expect(outcome(unknown)).toEqual([404, 'INVITATION_NOT_FOUND']);
    const accepted = await callAuth(url(), 'accept-invitation', { token, password: PASSWORD }, elsewhere());
    expect(accepted.status).toBe(200);
  });
});

it('an admin key names the account of a new person, as it does for agents', async () => {
  const person = { email: 'of-no-account@example.com', name: 'Nobody', role: 'operator' };
  const create = () => scene.admin.call('admin/users', person);
  await expectRefused(scene.database.pool, create, [422, 'VALIDATION_ERROR'], ['account_id']);
  const unknown = { ...person, account_id: '00000000-0000-7000-8000-000000000000' };
  expect(outcome(await scene.admin.call('admin/users', unknown))).toEqual([404, 'ACCOUNT_NOT_FOUND']);
});

describe('a body without a session', () => {
  it.each(['sign-in', 'accept-invitation'])(
    'of up to 1 MiB is taken by %s, and no larger one',
    async (path) => {
      const send = (bytes: number): Promise<Answer> => {
        const text = JSON.stringify({
          email: 'nobody@example.com',
          token: 'x',
          password: PASSWORD,
          unknown: '',
        });
        const body = text.replace('""', `"${'x'.repeat(bytes - text.length)}"`);
        return requestLiterally(url(), {
          path: `/api/v1/auth/${path}`,
          headers: { Origin: url(), 'Content-Type': 'application/json', ...elsewhere() },
          body,
        });
      };
      expect((await send(MIB)).status).toBe(path === 'sign-in' ? 401 : 404);
      expect(outcome(await send(MIB + 1))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    },
  );
});

it('a value that is too long is no link: it has the answer of unknown ones', async () => {
  const open = (token: string) =>
    callAuth(url(), 'accept-invitation', { token, password: PASSWORD }, elsewhere());
  const unknown = refusalOf(await open('x'.repeat(43)));
  for (const length of [101, 10_000]) expect(refusalOf(await open('x'.repeat(length)))).toEqual(unknown);
});
