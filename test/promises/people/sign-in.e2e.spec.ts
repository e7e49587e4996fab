import { setScene } from '../../support/scenes/base.scene';
import { expectRefused } from '../../support/clients/refusal.expectation';
import {
  callAuth,
  sessionOf,
  signIn,
  type SessionClient,
  PASSWORD,
} from '../../support/clients/session.client';
import { gupshupTokenOf } from '../../support/clients/webhook.sender';
import { SECRETS } from '../../support/programs/server.process';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import { shared } from '../../support/worker/shared';

const scene = setScene();
const url = (): string => scene.server.url;

describe('an invitation', () => {
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

  it('is given to no disabled person, and the refusal changes nothing', async () => {
    for (const { id } of [await scene.invite(), await scene.join().then(({ userId }) => ({ id: userId }))]) {
      await scene.admin.call(`admin/users/${id}`, { disabled: true }, 'PATCH');
      const call = () => scene.admin.call(`admin/users/${id}/invitation`, {});
      await expectRefused(scene.database.pool, call, [422, 'VALIDATION_ERROR'], ['id']);
      await scene.admin.call(`admin/users/${id}`, { disabled: false }, 'PATCH');
      expect((await call()).status).toBe(200);
    }
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

  beforeAll(async () => {
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
});
