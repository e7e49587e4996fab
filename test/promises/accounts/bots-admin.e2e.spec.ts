import { randomBytes } from 'node:crypto';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { setScene } from '../../support/scenes/base.scene';
import type { Answer } from '../../support/clients/api.client';
import { dumpOf } from '../../support/database/database.dump';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { gupshupTokenOf } from '../../support/clients/webhook.sender';
import { SECRETS } from '../../support/programs/server.process';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import type { ScriptedProvider } from '../../support/stand-ins/scripted.provider';
import { shared } from '../../support/worker/shared';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKEN = 'EAAGm0PX4ZCpsBAtoken';
const cloud = (sender = freshSender()) => ({
  ...{ sender, credential: TOKEN, settings: { waba_id: businessOf(sender) } },
});
const GUPSHUP = {
  sender: '77015550100',
  credential: 'gupshup-api-key-1',
  settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'ClinicApp' },
};

const scene = setScene();
let provider: ScriptedProvider;
let bot: string;
let lastSender = 200_000_000_000_000;

function freshSender(): string {
  return String(++lastSender);
}
const connect = (body: object, channel = 'waba_coexistence', id = bot): Promise<Answer> =>
  scene.admin.admin('PUT', `bots/${id}/channels/${channel}`, body);
const disconnect = (channel = 'waba_coexistence', id = bot): Promise<Answer> =>
  scene.admin.admin('DELETE', `bots/${id}/channels/${channel}`);

const newBot = async (): Promise<string> => {
  const { id, assistantId } = scene.account;
  const made = await scene.admin.admin('POST', 'bots', {
    account_id: id,
    assistant_id: assistantId,
    name: 'Bot',
  });
  return made.body.data.id as string;
};

beforeAll(async () => {
  provider = await shared.takeProvider();
});

beforeEach(async () => {
  provider.apps.set(GUPSHUP.settings.app_id, GUPSHUP.sender);
  bot = await newBot();
});

const appSecretOf = async (id: string): Promise<{ keyId: string | null; sealed: Buffer | null }> => {
  const { rows } = await scene.database.pool.query<{ keyId: string; sealed: Buffer }>(
    'SELECT app_secret_key_id AS "keyId", app_secret AS sealed FROM bot_channels WHERE bot_id = $1',
    [id],
  );
  return rows[0]!;
};

const credentialOf = async (id: string, channel: string): Promise<{ keyId: string; sealed: Buffer }> => {
  const { rows } = await scene.database.pool.query<{ keyId: string; sealed: Buffer }>(
    `SELECT credential_key_id AS "keyId", credential AS sealed FROM bot_channels WHERE bot_id = $1 AND channel = $2`,
    [id, channel],
  );
  return rows[0]!;
};

/** The credential as a sender would open it. */
const openedOf = async (id: string, channel: string): Promise<string> => {
  const { keyId, sealed } = await credentialOf(id, channel);
  return new AesChannelCipher(SECRETS.ENCRYPTION_KEY).open(
    keyId,
    sealed,
    `${scene.account.id}/${id}/${channel}`,
  );
};

describe('a bot', () => {
  it('is made with 201 without a number, and read as it was made', async () => {
    const { id: account_id, assistantId: assistant_id } = scene.account;
    const made = await scene.admin.admin('POST', 'bots', { account_id, assistant_id, name: 'Кофе ☕' });
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(UUID_7),
        account_id,
        assistant_id,
        name: 'Кофе ☕',
        created_at: expect.stringMatching(/Z$/),
        channels: [],
      },
    ]);
    const read = await scene.admin.admin('GET', `bots/${made.body.data.id}`);
    expect([read.status, read.body.data]).toEqual([200, made.body.data]);
  });

  it('gets another name and another agent, and keeps what a change does not name', async () => {
    const other = await scene.account.addAssistant();
    const change = async (body: object) =>
      (await scene.admin.admin('PATCH', `bots/${bot}`, body)).body.data as object;
    expect(await change({ name: 'After' })).toMatchObject({
      name: 'After',
      assistant_id: scene.account.assistantId,
    });
    expect(await change({ assistant_id: other })).toMatchObject({ name: 'After', assistant_id: other });
    expect(await change({})).toMatchObject({ name: 'After', assistant_id: other });
  });

  it('is listed exactly once over the pages of its account', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    for (let index = 0; index < 4; index++) await account.addBot();
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM bots WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
    const listed = await readPages(scene.admin, `bots?account_id=${account.id}&limit=2`, 'bots');
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(rows).toHaveLength(5);
  });
});

describe('a number', () => {
  it('of the Cloud API is connected, and shown with the address of the webhooks but without its token', async () => {
    const sender = freshSender();
    const { status, body, text } = await connect({ ...cloud(sender), messages_per_second: 40 });
    expect([status, body.data.channels]).toEqual([
      200,
      [
        {
          channel: 'waba_coexistence',
          sender,
          phone_country: 'KZ',
          settings: { waba_id: businessOf(sender) },
          messages_per_second: 40,
          connected: true,
          stopped_reason: null,
          app_secret_set: false,
          webhook_url: 'http://localhost:0/webhooks/whatsapp',
        },
      ],
    ]);
    const read = await scene.admin.admin('GET', `bots/${bot}`);
    expect(read.body.data).toEqual(body.data);
    expect(text + read.text + (await scene.admin.admin('GET', 'bots?limit=200')).text).not.toContain(TOKEN);
  });

  it('of Gupshup is shown with an address that names the bot and carries the bot’s own token', async () => {
    const { body } = await connect(
      { ...GUPSHUP, settings: { ...GUPSHUP.settings, more: 'left out' } },
      'waba',
    );
    expect(body.data.channels).toEqual([
      {
        channel: 'waba',
        sender: GUPSHUP.sender,
        phone_country: 'KZ',
        settings: GUPSHUP.settings,
        messages_per_second: null,
        connected: true,
        stopped_reason: null,
        app_secret_set: false,
        webhook_url: `http://localhost:0/webhooks/gupshup/${bot}?token=${gupshupTokenOf(bot)}`,
      },
    ]);
  });

  it('has its token kept sealed for this bot and channel, under the key’s id, and never logged', async () => {
    await connect(cloud());
    expect(await openedOf(bot, 'waba_coexistence')).toBe(TOKEN);
    const dump = JSON.stringify(await dumpOf(scene.database.pool));
    for (const form of [TOKEN, Buffer.from(TOKEN).toString('hex'), Buffer.from(TOKEN).toString('base64')]) {
      expect(dump).not.toContain(form);
    }
    expect(scene.server.output()).not.toContain(TOKEN);
  });

  it('keeps its token when a change brings none, and has another when it brings one', async () => {
    const sender = freshSender();
    await connect(cloud(sender));
    const moved = freshSender();
    const { credential: _, ...without } = cloud(moved);
    const { body } = await connect(without);
    expect(body.data.channels).toMatchObject([
      { sender: moved, settings: without.settings, connected: true, messages_per_second: null },
    ]);
    expect(await openedOf(bot, 'waba_coexistence')).toBe(TOKEN);
    await connect({ ...without, credential: 'another-token' });
    expect(await openedOf(bot, 'waba_coexistence')).toBe('another-token');
  });

  it('has the secret of its own app sealed apart from its token, shown nowhere, and forgotten with it', async () => {
    const { credential: _, ...without } = cloud();
    const secret = randomBytes(16).toString('hex');
    const saysOf = ({ text, body }: Answer) => {
      expect(text).not.toContain(secret);
      return (body.data.channels as { app_secret_set: boolean }[])[0]?.app_secret_set;
    };
    expect(saysOf(await connect({ ...without, credential: TOKEN, app_secret: secret }))).toBe(true);
    expect(saysOf(await connect(without))).toBe(true);
    const { keyId, sealed } = await appSecretOf(bot);
    const open = (as: string): string =>
      new AesChannelCipher(SECRETS.ENCRYPTION_KEY).open(
        String(keyId),
        sealed!,
        `${scene.account.id}/${bot}/${as}`,
      );
    expect(open('waba_coexistence/app_secret')).toBe(secret);
    expect(() => open('waba_coexistence')).toThrow();
    expect(await openedOf(bot, 'waba_coexistence')).toBe(TOKEN);
    const dump = JSON.stringify(await dumpOf(scene.database.pool));
    for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(dump).not.toContain(form);
    expect(scene.server.output()).not.toContain(secret);
    const { rows } = await scene.database.pool.query<{ after: object }>(
      `SELECT after FROM audit_entries WHERE subject_id = $1 AND action = 'channel.connect' ORDER BY id`,
      [bot],
    );
    expect(rows).toMatchObject([{ after: { app_secret: 'changed', credential: 'changed' } }]);
    expect(saysOf(await connect({ ...without, app_secret: null }))).toBe(false);
    expect(saysOf(await connect({ ...without, app_secret: secret }))).toBe(true);
    expect(saysOf(await disconnect())).toBe(false);
    expect(await appSecretOf(bot)).toEqual({ keyId: null, sealed: null });
  });

  it('is not connected without a token, the first time and after it was disconnected', async () => {
    const { credential: _, ...without } = cloud();
    const call = (): Promise<Answer> => connect(without);
    await scene.expectRefused(call, 'VALIDATION_ERROR', ['credential']);
    await connect({ ...without, credential: TOKEN });
    await disconnect();
    await scene.expectRefused(call, 'VALIDATION_ERROR', ['credential']);
  });

  it('that was stopped says why, and sends again once it is connected again', async () => {
    const sender = freshSender();
    const { credential, ...without } = cloud(sender);
    await connect({ ...without, credential });
    await scene.database.pool.query(
      `UPDATE bot_channels SET stopped_at = clock_timestamp(), stopped_reason = 'token expired' WHERE bot_id = $1`,
      [bot],
    );
    const read = await scene.admin.admin('GET', `bots/${bot}`);
    expect(read.body.data.channels).toMatchObject([{ connected: false, stopped_reason: 'token expired' }]);
    const { body } = await connect(without);
    expect(body.data.channels).toMatchObject([{ connected: true, stopped_reason: null }]);
  });

  it('that was disconnected has no token any more, is still there, and may be disconnected again', async () => {
    const sender = freshSender();
    await connect(cloud(sender));
    for (let again = 0; again < 2; again++) {
      const { status, body } = await disconnect();
      expect([status, body.data.channels]).toMatchObject([200, [{ sender, connected: false }]]);
    }
    expect(await credentialOf(bot, 'waba_coexistence')).toEqual({ keyId: null, sealed: null });
    expect((await disconnect('waba')).status).toBe(200);
  });

  it('is connected to one bot only, until it is disconnected there; a number of another channel is another', async () => {
    const sender = freshSender().slice(0, 12);
    await connect(cloud(sender));
    const other = await newBot();
    const take = (): Promise<Answer> => connect(cloud(sender), 'waba_coexistence', other);
    await expectRefused(scene.database.pool, take, [409, 'ALREADY_EXISTS']);
    provider.apps.set(GUPSHUP.settings.app_id, sender);
    expect((await connect({ ...GUPSHUP, sender }, 'waba', other)).status).toBe(200);
    await disconnect();
    expect((await take()).status).toBe(200);
    const back = (): Promise<Answer> => connect(cloud(sender));
    await expectRefused(scene.database.pool, back, [409, 'ALREADY_EXISTS']);
  });

  it('goes to exactly one of five bots that ask for it at once', async () => {
    const sender = freshSender();
    const bots = await Promise.all(Array.from({ length: 5 }, newBot));
    const answers = await Promise.all(bots.map((id) => connect(cloud(sender), 'waba_coexistence', id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 4 }, () => 409),
    ]);
  });

  // What each field may be is in number.rules.spec.ts and dto-pipe.spec.ts.
  it.each([
    ['waba', { ...GUPSHUP, settings: cloud().settings }, ['settings.app_id', 'settings.app_name']],
    ['waba_coexistence', { ...cloud(), app_secret: 'short' }, ['app_secret']],
    ['WABA', GUPSHUP, ['channel']],
  ])('is not connected to %s by %j', async (channel, body, paths) => {
    await scene.expectRefused(() => connect(body, channel), 'VALIDATION_ERROR', paths);
  });
});

describe('a number belongs to whom its provider confirms', () => {
  const entriesOf = async (accountId: string): Promise<object[]> =>
    (
      await scene.database.pool.query<object>(
        `SELECT action, subject_id, actor_type FROM audit_entries WHERE account_id = $1 AND action LIKE 'channel.%' ORDER BY id`,
        [accountId],
      )
    ).rows;

  /** A bot of another account, and its key to govern it. */
  async function foreignBot(): Promise<{ account: AccountFixture; id: string }> {
    const account = await AccountFixture.create(scene.database.pool);
    return { account, id: account.botId };
  }

  it('is not connected where the business account of the settings has not got it, and nothing changes', async () => {
    const wrong = { ...cloud(), settings: { waba_id: businessOf(freshSender()) } };
    const answer = await scene.expectRefused(() => connect(wrong), 'VALIDATION_ERROR', ['sender']);
    expect(answer.text).toContain('waba_id');
  });

  it('is not connected with a credential that the provider does not take, nor is a change of it', async () => {
    const number = cloud();
    provider.revoked.add('a-false-token');
    const connectFalsely = () => connect({ ...number, credential: 'a-false-token' });
    await scene.expectRefused(connectFalsely, 'VALIDATION_ERROR', ['sender']);
    expect((await connect(number)).status).toBe(200);
    await scene.expectRefused(connectFalsely, 'VALIDATION_ERROR', ['sender']);
  });

  it('of Gupshup is connected where its app has it, and with the app’s key', async () => {
    const other = { ...GUPSHUP, sender: '77015550199' };
    await scene.expectRefused(() => connect(other, 'waba'), 'VALIDATION_ERROR', ['sender']);
    provider.revoked.add('a-false-key');
    const falsely = { ...GUPSHUP, credential: 'a-false-key' };
    await scene.expectRefused(() => connect(falsely, 'waba'), 'VALIDATION_ERROR', ['sender']);
  });

  it('stays with the account whose credential still works, and moves from one whose does not, with an entry in both', async () => {
    const [number, former] = [cloud(), await foreignBot()];
    const ofFormer = { ...number, credential: 'the-former-token' };
    expect((await connect(ofFormer, 'waba_coexistence', former.id)).status).toBe(200);
    await expectRefused(scene.database.pool, () => connect(number), [409, 'ALREADY_EXISTS']);
    provider.revoked.add('the-former-token');
    const taken = await connect(number);
    expect([taken.status, taken.body.data.channels]).toMatchObject([200, [{ connected: true }]]);
    expect(await credentialOf(former.id, 'waba_coexistence')).toEqual({ keyId: null, sealed: null });
    expect(await entriesOf(former.account.id)).toEqual([
      { action: 'channel.connect', subject_id: former.id, actor_type: 'key' },
      { action: 'channel.disconnect', subject_id: former.id, actor_type: null },
    ]);
    expect((await entriesOf(scene.account.id)).at(-1)).toEqual({
      ...{ action: 'channel.connect', subject_id: bot, actor_type: 'key' },
    });
    const back = () => connect(ofFormer, 'waba_coexistence', former.id);
    await scene.expectRefused(back, 'VALIDATION_ERROR', ['sender']);
  });

  it('does not move to another bot of the same account, whose admins see who has it', async () => {
    const [number, other] = [cloud(), await newBot()];
    await connect({ ...number, credential: 'the-token-of-before' });
    provider.revoked.add('the-token-of-before');
    const take = () => connect(number, 'waba_coexistence', other);
    await expectRefused(scene.database.pool, take, [409, 'ALREADY_EXISTS']);
  });
});
