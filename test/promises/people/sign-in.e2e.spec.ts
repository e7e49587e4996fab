import { setScene } from '../../support/scenes/base.scene';
import { request } from '../../support/clients/api.client';
import { expectRefused } from '../../support/clients/refusal.expectation';
import {
  callAuth,
  sessionOf,
  signIn,
  tokenOf,
  type SessionClient,
  PASSWORD,
} from '../../support/clients/session.client';
import { gupshupTokenOf } from '../../support/clients/webhook.sender';
import { AccountFixture } from '../../support/database/fixture';
import { SECRETS } from '../../support/programs/server.process';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import { shared } from '../../support/worker/shared';

const scene = setScene();
const url = (): string => scene.server.url;

describe('an invitation', () => {
  it('is a link of the service with a token behind the #, good for seven days', async () => {
    const { body } = await scene.admin.call('admin/users', {
      ...{ account_id: scene.account.id, email: 'first@example.com', name: 'First', role: 'admin' },
    });
    expect(body.data).toMatchObject({ email: 'first@example.com', role: 'admin', disabled: false });
    const { url: link, expires_at: expiresAt } = body.data.invitation;
    expect(link).toMatch(/\/invitation#[\w-]{43}$/);
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
  });

  it('sets the password and signs in, once', async () => {
    const { email, token } = await scene.invite();
    const accepted = await callAuth(url(), 'accept-invitation', { token, password: PASSWORD });
    expect(accepted.status).toBe(200);
    expect(accepted.body.data).toMatchObject({
      user: { email, role: 'operator', second_factor: false },
      account: { id: scene.account.id },
      csrf_token: expect.any(String),
    });
    const again = await callAuth(url(), 'accept-invitation', { token, password: PASSWORD });
    const unknown = await callAuth(url(), 'accept-invitation', { token: 'x'.repeat(43), password: PASSWORD });
    expect([again.status, again.body.error.code]).toEqual([404, 'INVITATION_NOT_FOUND']);
    expect(unknown.body.error.message).toBe(again.body.error.message);
    expect((await signIn(url(), email, PASSWORD)).cookie).toContain('leadline=');
  });

  it('used by two at once sets one password', async () => {
    const { email, token } = await scene.invite();
    const passwords = ['first of two rivers', 'second of two rivers'];
    const answers = await Promise.all(
      passwords.map((password) => callAuth(url(), 'accept-invitation', { token, password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await signIn(url(), email, winner)).userId).toBeTruthy();
  });

  it('is given to no disabled person, and the refusal changes nothing', async () => {
    for (const { id } of [await scene.invite(), await scene.join().then(({ userId }) => ({ id: userId }))]) {
      await scene.admin.call(`admin/users/${id}`, { disabled: true }, 'PATCH');
      const call = () => scene.admin.call(`admin/users/${id}/invitation`, {});
      await expectRefused(scene.database.pool, call, [422, 'VALIDATION_ERROR'], ['id']);
      await scene.admin.call(`admin/users/${id}`, { disabled: false }, 'PATCH');
      expect((await call()).status).toBe(200);
    }
  });

  it('is void once there is a newer one', async () => {
    const { id, token } = await scene.invite();
    const { body } = await scene.admin.call(`admin/users/${id}/invitation`, {});
    const newer = tokenOf(body.data.invitation.url);
    const old = await callAuth(url(), 'accept-invitation', { token, password: PASSWORD });
    expect(old.body.error.code).toBe('INVITATION_NOT_FOUND');
    const accepted = await callAuth(url(), 'accept-invitation', { token: newer, password: PASSWORD });
    expect(accepted.status).toBe(200);
  });

  it.each([
    ['too short', 'nine char'],
    ['among the commonest', '1q2w3e4r5t'],
    ['with the address', 'x person-of-mine x'],
    ['too long', 'a b'.repeat(67)],
  ])('refuses a password that is %s, and stays good', async (_, password) => {
    const { token } = await scene.invite({ email: `person-of-mine@${Math.random()}.example.com` });
    const refused = await callAuth(url(), 'accept-invitation', { token, password });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(refused.body.error.details?.[0]?.path).toBe('password');
    expect((await callAuth(url(), 'accept-invitation', { token, password: PASSWORD })).status).toBe(200);
  });
});

describe('sign-in', () => {
  it('answers who, where and with which agents, and a cookie that scripts cannot read', async () => {
    const { email } = await scene.join();
    const answer = await callAuth(url(), 'sign-in', { email: email.toUpperCase(), password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body.data.assistants).toEqual([
      { id: scene.account.assistantId, name: expect.any(String) },
    ]);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^leadline=s%3A/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    const me = await sessionOf(url(), answer).call('auth/me');
    expect(me.body.data).toEqual(answer.body.data);
  });

  it('answers a wrong address and a wrong password alike', async () => {
    const { email } = await scene.join();
    const wrong = await callAuth(url(), 'sign-in', { email, password: 'wrong password' });
    const unknown = await callAuth(url(), 'sign-in', { email: 'nobody@example.com', password: PASSWORD });
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'SIGN_IN_FAILED']);
    const bare = ({ text, body }: typeof wrong): string => text.replace(body.error.request_id, '');
    expect(bare(unknown)).toBe(bare(wrong));
    expect(unknown.headers.getSetCookie()).toEqual([]);
  });

  it('is refused from the page of another site, and without an Origin', async () => {
    const { email } = await scene.join();
    for (const origin of ['https://evil.example', 'null', `http://sub.${new URL(url()).host}`]) {
      const { status, body } = await callAuth(
        url(),
        'sign-in',
        { email, password: PASSWORD },
        { Origin: origin },
      );
      expect([origin, status, body.error?.code]).toEqual([origin, 403, 'CSRF']);
    }
    const none = await request(`${url()}/api/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    expect(none.body.error.code).toBe('CSRF');
  });
});

describe('a session', () => {
  it('moves a lead in the name of its person', async () => {
    const person = await scene.join();
    const thread = await scene.account.addThread();
    const moved = await person.call('leads/set-status', { thread_id: thread, status_id: scene.stage(1) });
    expect(moved.body.data).toMatchObject({ changed: true });
    const { body: lead } = await scene.api.getLead(thread);
    expect(lead.data.status_set_by).toBe('OPERATOR_MANUAL');
    const { body } = await person.call('leads/get-history', { thread_id: thread });
    expect(body.data.entries[0]).toMatchObject({
      by: 'OPERATOR_MANUAL',
      actor: { type: 'user', id: person.userId, name: 'Aigerim' },
    });
  });

  it('is refused beside a key, and with a cookie that was not signed here', async () => {
    const person = await scene.join();
    const both = await person.call('leads/get-statuses', {}, 'POST', { 'X-API-Key': scene.account.key });
    expect(both.status).toBe(401);
    const forged = await request(`${url()}/api/v1/auth/me`, { headers: { Cookie: 'leadline=s%3Aabc.def' } });
    expect(forged.status).toBe(401);
  });

  it('changes nothing without its CSRF token, or from another site', async () => {
    const person = await scene.join();
    const thread = await scene.account.addThread();
    const body = { thread_id: thread, status_id: scene.stage(1) };
    const forgeries: Record<string, string>[] = [
      { 'X-CSRF-Token': '' },
      { 'X-CSRF-Token': 'another' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ];
    for (const headers of forgeries) {
      const refused = await person.call('leads/set-status', body, 'POST', headers);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'CSRF']);
    }
    const { body: lead } = await scene.api.getLead(thread);
    expect(lead.data.status).toBeNull();
  });

  it('ends at sign-out, on every process', async () => {
    const person = await scene.join();
    const out = await person.call('auth/sign-out', {});
    expect(out.headers.getSetCookie()[0]).toMatch(/^leadline=;.*Expires=Thu, 01 Jan 1970/);
    expect((await person.call('auth/me')).status).toBe(401);
  });

  it('of a new sign-in has a new id, and replaces the one whose cookie came', async () => {
    const first = await scene.join();
    const { email } = await scene.join();
    const second = await signIn(url(), email, PASSWORD, { Cookie: first.cookie });
    expect(second.cookie).not.toBe(first.cookie);
    expect((await first.call('auth/me')).status).toBe(401);
    expect((await second.call('auth/me')).body.data.user.id).toBe(second.userId);
  });
});

describe('the addresses that providers call', () => {
  const NUMBERS = [
    [
      'waba',
      {
        sender: '77015550100',
        credential: 'gupshup-api-key-1',
        settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'ClinicApp' },
      },
    ],
    [
      'waba_coexistence',
      {
        sender: '106540352242922',
        credential: 'EAAGtoken',
        settings: { waba_id: businessOf('106540352242922') },
      },
    ],
  ] as const;

  let bot: string;
  let other: AccountFixture;

  beforeAll(async () => {
    other = await AccountFixture.create(scene.database.pool);
    bot = await scene.account.addBot();
    (await shared.takeProvider()).apps.set('a1a1a1a1-0000-4000-8000-000000000001', '77015550100');
    for (const [channel, number] of NUMBERS)
      expect((await scene.admin.admin('PUT', `bots/${bot}/channels/${channel}`, number)).status).toBe(200);
  });

  /** What a person reads of bots, everywhere. */
  const readBy = async (person: SessionClient) => {
    const one = await person.call(`admin/bots/${bot}`);
    const all = await person.call('admin/bots?limit=200');
    const listed = (all.body.data.bots as { id: string; channels: { webhook_url: string | null }[] }[]).find(
      ({ id }) => id === bot,
    );
    expect(listed).toEqual(one.body.data);
    return { urls: listed?.channels.map(({ webhook_url: url }) => url), text: one.text + all.text };
  };

  it('are shown to an admin of the account with the token of that bot, never with that of all bots', async () => {
    const { urls, text } = await readBy(await scene.join({ role: 'admin' }));
    expect(urls?.toSorted()).toEqual([
      `http://localhost:0/webhooks/gupshup/${bot}?token=${gupshupTokenOf(bot)}`,
      'http://localhost:0/webhooks/whatsapp',
    ]);
    const ofAll = await scene.admin.admin('GET', 'bots?limit=200');
    expect(text + ofAll.text).not.toContain(SECRETS.GUPSHUP_WEBHOOK_TOKEN);
  });

  it.each(['all agents', 'one agent'])('are shown to no operator of %s', async (of) => {
    const agents = of === 'one agent' ? { assistant_ids: [scene.account.assistantId] } : {};
    const { urls, text } = await readBy(await scene.join({ role: 'operator', ...agents }));
    expect(urls).toEqual([null, null]);
    for (const secret of [SECRETS.GUPSHUP_WEBHOOK_TOKEN, gupshupTokenOf(bot), 'token='])
      expect(text).not.toContain(secret);
  });

  it('are not shown to people of another account', async () => {
    const stranger = await scene.join({ account_id: other.id, role: 'admin' });
    expect((await stranger.call(`admin/bots/${bot}`)).status).toBe(404);
    expect((await stranger.call('admin/bots?limit=200')).text).not.toContain(bot);
  });
});
