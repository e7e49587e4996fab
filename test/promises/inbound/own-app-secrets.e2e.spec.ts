import { randomBytes, randomInt } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import { expectRefused, refusalOf } from '../../support/clients/refusal.expectation';
import { signatureOf, WebhookSender } from '../../support/clients/webhook.sender';
import { AccountFixture } from '../../support/database/fixture';
import { setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { CloudNumber, cloudBody, secondsAgo, type Change } from '../../support/stand-ins/cloud.webhooks';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import { shared } from '../../support/worker/shared';

/** A number that its business has connected by its own app. */
interface OwnNumber {
  account: AccountFixture;
  bot: string;
  number: CloudNumber;
  secret: string;
}

const scene = setInboundScene();

beforeAll(() => shared.takeProvider());
beforeEach(() => scene.database.pool.query('TRUNCATE webhook_rejects'));

const someSecret = (): string => randomBytes(16).toString('hex');

/** Connects a number, or changes it, as an admin does. */
async function connect({ bot, number: { phoneNumberId: sender } }: OwnNumber, given: object): Promise<void> {
  const body = { sender, credential: 'a-token', settings: { waba_id: businessOf(sender) }, ...given };
  const { status, text } = await scene.admin.admin('PUT', `bots/${bot}/channels/waba_coexistence`, body);
  if (status !== 200) throw new Error(text);
}

async function ownNumber(account = scene.account): Promise<OwnNumber> {
  const number = new CloudNumber(String(randomInt(5e14, 6e14)));
  const own = { account, bot: await account.addBot(), number, secret: someSecret() };
  await connect(own, { app_secret: own.secret });
  return own;
}

const post = (body: string, secret: string): Promise<Answer> =>
  new WebhookSender(scene.server).meta(body, { 'X-Hub-Signature-256': signatureOf(body, secret) });

/** Has a webhook signed and taken in. */
async function tell(secret: string, ...changes: Change[]): Promise<void> {
  const { status, text } = await post(cloudBody(changes), secret);
  if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
  await scene.taken();
}

const refuse = (secret: string, ...changes: Change[]): Promise<Answer> =>
  expectRefused(scene.database.pool, () => post(cloudBody(changes), secret), [401, 'UNAUTHORIZED']);

/** What a customer said, with the bot that it was said to. */
const saidBy = async (phone: string): Promise<object[]> =>
  (
    await scene.database.pool.query<object>(
      `SELECT m.bot_id AS bot, m.text FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
        WHERE t.contact = $1 ORDER BY m.created_at, m.id`,
      [`+${phone}`],
    )
  ).rows;

const rejects = async () =>
  (await scene.admin.admin('GET', 'webhook-rejects')).body.data.webhook_rejects as {
    id: string;
    account_id: string | null;
    path: string;
    reason: string;
  }[];

describe('a webhook that a number’s own app signed', () => {
  it('is taken in for the number, as is one that an app of the installation signed', async () => {
    const { bot, number, secret } = await ownNumber();
    const phone = somePhone();
    await tell(secret, number.message({ phone }, 'by its own'));
    await scene.tell(number.message({ phone }, 'by the installation’s'));
    expect(await saidBy(phone)).toEqual([
      { bot, text: 'by its own' },
      { bot, text: 'by the installation’s' },
    ]);
  });

  it('is refused where it tells of another number alone, in the words for a secret that nobody has', async () => {
    const [own, foreign] = [
      await ownNumber(),
      await ownNumber(await AccountFixture.create(scene.database.pool)),
    ];
    const beside = await ownNumber();
    const phone = somePhone();
    const refusals = [
      await refuse(someSecret(), own.number.message({ phone }, 'x')),
      await refuse(someSecret(), new CloudNumber('123456789').message({ phone }, 'x')),
      await refuse(own.secret, beside.number.message({ phone }, 'x')),
      await refuse(own.secret, foreign.number.message({ phone }, 'x')),
      await refuse(own.secret, scene.number.message({ phone }, 'x')),
    ].map(refusalOf);
    expect(refusals).toEqual(refusals.map(() => refusals[0]));
  });

  it('tells of no other number in its other entries, not even when an admin has them taken in again', async () => {
    const own = await ownNumber();
    const [beside, foreign] = [await ownNumber(), await AccountFixture.create(scene.database.pool)];
    const later = {
      account: foreign,
      bot: foreign.botId,
      number: new CloudNumber(String(randomInt(6e14, 7e14))),
    };
    const phones = [somePhone(), somePhone(), somePhone()] as const;
    await tell(
      own.secret,
      own.number.message({ phone: phones[0] }, 'of its own'),
      beside.number.message({ phone: phones[1] }, 'forged'),
      later.number.message({ phone: phones[2] }, 'forged'),
    );
    await connect({ ...later, secret: '' }, {});
    const kept = await rejects();
    expect(kept.map(({ account_id, path }) => [account_id, path]).toSorted()).toEqual([
      [null, 'entry[1].changes[0].value.messages[0]'],
      [null, 'entry[2].changes[0].value.messages[0]'],
    ]);
    for (const { id } of kept) {
      const { body } = await scene.admin.admin('POST', `webhook-rejects/${id}/retry`, {});
      const reason = expect.stringContaining('not signed for the number') as string;
      expect(body.data).toEqual({ id, taken_in: false, reason });
    }
    expect(await Promise.all(phones.map(saidBy))).toEqual([[{ bot: own.bot, text: 'of its own' }], [], []]);
  });

  it('stops no other number of the business account', async () => {
    const [own, beside] = [await ownNumber(), await ownNumber()];
    const business = businessOf(own.number.phoneNumberId);
    const ofBoth = [[own.bot, beside.bot]];
    const { pool } = scene.database;
    await pool.query(`UPDATE bot_channels SET settings = $2 WHERE bot_id = ANY ($1)`, [
      ...ofBoth,
      { waba_id: business },
    ]);
    const value = { event: 'ACCOUNT_DELETED', waba_info: { waba_id: business } };
    const body = cloudBody([{ field: 'account_update', value }], secondsAgo(0));
    const stopped = async () => {
      const { rows } = await pool.query<{ bot_id: string }>(
        'SELECT bot_id FROM bot_channels WHERE bot_id = ANY ($1) AND stopped_at IS NOT NULL ORDER BY bot_id',
        ofBoth,
      );
      return rows.map(({ bot_id }) => bot_id);
    };
    expect((await post(body, own.secret)).status).toBe(200);
    await scene.taken();
    expect(await stopped()).toEqual([own.bot]);
    await scene.tellRaw(body);
    expect(await stopped()).toEqual([own.bot, beside.bot].toSorted());
  });

  it('changes the state of no template of another bot', async () => {
    const [own, beside] = [await ownNumber(), await ownNumber()];
    const { pool } = scene.database;
    const [mine, theirs] = ['801234567890123', '801234567890124'];
    for (const [bot, providerId] of [
      [own.bot, mine],
      [beside.bot, theirs],
    ] as const)
      await pool.query(
        `INSERT INTO templates (account_id, id, bot_id, channel, template_id, provider_id, name, language, category, status, body, params_count)
         VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', $3, $3, $3, 'en', 'utility', 'pending', 'Hello', 0)`,
        [scene.account.id, bot, providerId],
      );
    const approved = (message_template_id: string) => {
      const value = { event: 'APPROVED', message_template_id, message_template_name: 'x' };
      return {
        field: 'message_template_status_update',
        value: { ...value, message_template_language: 'en' },
      };
    };
    const body = cloudBody([approved(mine), approved(theirs)], secondsAgo(0));
    const entry = (id: string) => body.replace(/"id":"9\d+"/, `"id":"${id}"`);
    expect((await post(entry(businessOf(own.number.phoneNumberId)), own.secret)).status).toBe(200);
    await scene.taken();
    const { rows } = await pool.query<object>(
      'SELECT bot_id AS bot, status FROM templates WHERE bot_id = ANY ($1) ORDER BY provider_id',
      [[own.bot, beside.bot]],
    );
    expect(rows).toEqual([
      { bot: own.bot, status: 'approved' },
      { bot: beside.bot, status: 'pending' },
    ]);
  });

  it('is refused once the secret is another one, is taken away, or the number is disconnected', async () => {
    const own = await ownNumber();
    const change = own.number.message({ phone: somePhone() }, 'x');
    const second = someSecret();
    await connect(own, { app_secret: second });
    await refuse(own.secret, change);
    await tell(second, change);
    await connect(own, {});
    await tell(second, change);
    await connect(own, { app_secret: null });
    await refuse(second, change);
    await connect(own, { app_secret: second });
    await scene.admin.admin('DELETE', `bots/${own.bot}/channels/waba_coexistence`);
    await refuse(second, change);
    await connect(own, {});
    await refuse(second, change);
  });

  it('is refused once the bot has another number: a secret is of the number for which it was given', async () => {
    const own = await ownNumber();
    const number = new CloudNumber(String(randomInt(6e14, 7e14)));
    const change = number.message({ phone: somePhone() }, 'x');
    await connect({ ...own, number }, {});
    await refuse(own.secret, change);
    await connect({ ...own, number }, { app_secret: own.secret });
    await tell(own.secret, change);
  });
});
