import { randomUUID } from 'node:crypto';
import { ApiClient } from '../../support/clients/api.client';
import {
  CloudNumber,
  cloudBody,
  postGupshup,
  secondsAgo,
  wamid,
  type Change,
  type Customer,
} from '../../support/stand-ins/cloud.webhooks';
import { businessOf } from '../../support/stand-ins/provider.numbers';
import { eventually } from '../../support/eventually';
import { addAdminKey } from '../../support/database/fixture';
import { setInboundScene, somePhone, type KeptDialog } from '../../support/scenes/inbound.scene';

const scene = setInboundScene();

const dialogOf = ({ phone = '' }: Customer): Promise<KeptDialog> => scene.dialog(`+${phone}`);

async function someCustomer(rest: Customer = {}): Promise<Customer> {
  const customer = { phone: somePhone(), ...rest };
  await scene.tell(scene.number.message(customer, 'здравствуйте'));
  return customer;
}

describe('the phone’s address book', () => {
  const entry = ({ phone }: Customer, name: string): Change => {
    const contact = { full_name: name, first_name: name, phone_number: phone };
    return scene.number.change('smb_app_state_sync', {
      state_sync: [{ type: 'contact', action: 'add', contact, metadata: { timestamp: '1760000000' } }],
    });
  };

  it('names a customer who gave no name, and shows it on boards', async () => {
    const customer = await someCustomer();
    await scene.tell(entry(customer, 'Айгуль Б.'));
    const dialog = await dialogOf(customer);
    expect(dialog.customer_name).toBe('Айгуль Б.');
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message', '3 card']);
  });

  it('leaves the name that a customer gave, and opens no dialog', async () => {
    const customer = await someCustomer({ name: 'Айгуль' });
    const before = await scene.dialogs();
    await scene.tell(entry(customer, 'Клиент 7'), entry({ phone: somePhone() }, 'Никто'));
    expect(await scene.dialogs()).toEqual(before);
  });
});

describe('a customer with another number', () => {
  const changed = (from: Customer, to: Customer): Change =>
    scene.number.message(from, {
      type: 'system',
      system: { type: 'user_changed_number', body: 'changed', wa_id: to.phone },
    });

  it('keeps the dialog', async () => {
    const customer = await someCustomer();
    const { id } = await dialogOf(customer);
    const to = { phone: somePhone() };
    await scene.tell(changed(customer, to));
    expect(await dialogOf(to)).toMatchObject({ id, phone: `+${to.phone}`, wa_id: to.phone });
    await scene.tell(scene.number.message(to, 'это снова я'));
    expect(await dialogOf(to)).toMatchObject({ id, unread_count: 2 });
  });

  it('keeps both dialogs where the number has one', async () => {
    const customer = await someCustomer();
    const to = await someCustomer();
    await scene.tell(changed(customer, to));
    expect(await dialogOf(customer)).toMatchObject({ phone: `+${customer.phone}` });
    expect(await dialogOf(to)).toMatchObject({ phone: `+${to.phone}`, unread_count: 1 });
  });

  it('is moved once: a customer who gets the former number keeps their own dialog', async () => {
    const customer = await someCustomer();
    const to = { phone: somePhone() };
    const report = changed(customer, to);
    await scene.tell(report);
    await scene.tell(scene.number.message(customer, 'номер теперь мой'));
    await scene.tell(report);
    expect(await dialogOf(customer)).toMatchObject({ unread_count: 1 });
  });
});

it('a customer with another user id keeps the dialog', async () => {
  await scene.tell(scene.number.message({ userId: 'KZ.501' }, 'без номера'));
  const { id } = await scene.dialog('KZ.501');
  const system = { type: 'user_changed_user_id', body: 'changed', user_id: 'KZ.502' };
  await scene.tell(scene.number.message({ userId: 'KZ.501' }, { type: 'system', system }));
  expect(await scene.dialog('KZ.502')).toMatchObject({ id, user_id: 'KZ.502' });
});

describe('the business account', () => {
  const banned = (state: string): Change =>
    number.change('account_update', {
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: state, waba_ban_date: 'November 20, 2026' },
    });

  const restricted = (expiration: number): Change =>
    number.change('account_update', {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: ['BIZ', 'CUSTOMER'].map((who) => ({
        restriction_type: `RESTRICTED_${who}_INITIATED_MESSAGING`,
        expiration,
      })),
    });

  const telling = (change: Change, time?: number): Promise<void> => scene.tellRaw(cloudBody([change], time));

  interface Shown {
    sender: string;
    connected: boolean;
    stopped_reason: string | null;
  }

  /** What the administration shows of the number. */
  const shown = async (id = botId): Promise<Pick<Shown, 'connected' | 'stopped_reason'>> => {
    const { body } = await admin.admin('GET', `bots/${id}`);
    const [channel] = body.data.channels as Shown[];
    if (!channel) throw new Error('the bot has no number');
    return { connected: channel.connected, stopped_reason: channel.stopped_reason };
  };
  const SENDS = { connected: true, stopped_reason: null };
  const STOPPED = { connected: false, stopped_reason: 'DISABLED_UPDATE DISABLE' };

  let admin: ApiClient;
  let botId: string;
  let number: CloudNumber;

  beforeAll(async () => {
    admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  });

  beforeEach(async () => {
    botId = await scene.account.addBot();
    number = new CloudNumber(await scene.account.connect('waba_coexistence', { botId }));
  });

  it('that is disabled stops its numbers until it is reinstated', async () => {
    await telling(banned('DISABLE'), secondsAgo(60));
    expect(await shown()).toEqual(STOPPED);
    await telling(banned('REINSTATE'), secondsAgo(30));
    expect(await shown()).toEqual(SENDS);
    await telling(banned('DISABLE'), secondsAgo(0));
    expect(await shown()).toEqual(STOPPED);
  });

  it.each([
    ['with its time', 60, 30],
    ['of the same second', 30, 30],
    ['without a time', null, null],
  ])('stays reinstated when Meta repeats that it is disabled, %s', async (_, disabled, reinstated) => {
    const [first, second] = [disabled, reinstated].map((ago) => (ago === null ? undefined : secondsAgo(ago)));
    await telling(banned('DISABLE'), first);
    await telling(banned('REINSTATE'), second);
    await telling(banned('DISABLE'), first);
    expect(await shown()).toEqual(SENDS);
  });

  it('stays reinstated when the older report comes after the newer one', async () => {
    await telling(banned('REINSTATE'), secondsAgo(30));
    await telling(banned('DISABLE'), secondsAgo(60));
    expect(await shown()).toEqual(SENDS);
  });

  it('that is restricted for a time sends again when the time is over, and not before', async () => {
    const until = secondsAgo(-2);
    await telling(restricted(until), secondsAgo(1));
    expect(await shown()).toMatchObject({ connected: false });
    await eventually(async () => (await shown()).connected, 15_000, 'the number did not come back');
    expect(Date.now()).toBeGreaterThanOrEqual(until * 1000);
    expect(await shown()).toEqual(SENDS);
  });

  describe('that its partner’s entry tells of', () => {
    const PHONES = ['77015550111', '77015550112'];
    let second: string;

    /** Both numbers are of one business account, and have phones of their own. */
    beforeEach(async () => {
      second = await scene.account.addBot();
      const senders = [
        number.phoneNumberId,
        await scene.account.connect('waba_coexistence', { botId: second }),
      ];
      for (const [index, sender] of senders.entries())
        await scene.database.pool.query(
          `UPDATE bot_channels SET phone = $2, settings = settings || jsonb_build_object('waba_id', $3::text) WHERE sender = $1`,
          [sender, `+${PHONES[index]}`, businessOf(number.phoneNumberId)],
        );
      await scene.database.pool.query('TRUNCATE webhook_rejects');
    });

    const removed = (value: object, business = businessOf(number.phoneNumberId)): Promise<void> =>
      telling({
        field: 'account_update',
        value: { event: 'PARTNER_APP_UNINSTALLED', waba_info: { waba_id: business }, ...value },
      });
    const areConnected = async (): Promise<boolean[]> =>
      Promise.all([botId, second].map(async (id) => (await shown(id)).connected));
    const rejects = async (): Promise<number> =>
      (await scene.database.pool.query('SELECT FROM webhook_rejects')).rowCount ?? 0;

    it('loses all its numbers', async () => {
      await removed({});
      expect([await areConnected(), await rejects()]).toEqual([[false, false], 0]);
    });

    it.each([
      ['its phone', () => ({ phone_number: PHONES[0] })],
      ['its id', () => ({ metadata: { phone_number_id: number.phoneNumberId } })],
    ])('loses the number alone that is named by %s', async (_, named) => {
      await removed(named());
      expect([await areConnected(), await rejects()]).toEqual([[false, true], 0]);
    });

    it.each([
      ['the mobile', ['5511923456789', '551123456789']],
      ['the landline', ['551123456789', '5511923456789']],
    ])('loses %s alone, where another number is a form of the same', async (_, phones) => {
      await scene.database.pool.query(
        `UPDATE bot_channels SET phone = CASE bot_id WHEN $1 THEN $2 ELSE $3 END WHERE bot_id IN ($1, $4)`,
        [botId, ...phones.map((phone) => `+${phone}`), second],
      );
      await removed({ phone_number: phones[0] });
      expect([await areConnected(), await rejects()]).toEqual([[false, true], 0]);
    });

    it('loses nothing where it has no such number, or is not ours: that is kept as a reject', async () => {
      await removed({ phone_number: '77015559999' });
      await removed({}, '900000000000099');
      await removed({ metadata: { phone_number_id: number.phoneNumberId } }, '900000000000099');
      expect([await areConnected(), await rejects()]).toEqual([[true, true], 3]);
    });
  });

  it('that is disabled stays so, whatever a restriction of some days says meanwhile', async () => {
    await telling(banned('DISABLE'), secondsAgo(60));
    await telling(restricted(secondsAgo(10)), secondsAgo(30));
    expect(await shown()).toEqual(STOPPED);
  });
});

it('a template that is approved is so for everybody who sends by its business account', async () => {
  const { account, database } = scene;
  await database.pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status, provider_id,
                            body, params_count)
     VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', 'hello', 'hello', 'ru', 'utility', 'pending', '501', 'Здравствуйте', 0)`,
    [account.id, account.botId],
  );
  await scene.tell(
    scene.number.change('message_template_status_update', {
      event: 'APPROVED',
      message_template_id: 501,
      message_template_name: 'hello',
      message_template_language: 'ru',
      reason: 'NONE',
    }),
  );
  const { rows } = await database.pool.query(`SELECT status FROM templates WHERE template_id = 'hello'`);
  expect(rows).toEqual([{ status: 'approved' }]);
});

describe('Gupshup', () => {
  const post = async (type: string, payload: object): Promise<void> => {
    const body = { app: 'ClinicApp', timestamp: Date.now(), version: 2, type, payload };
    const { status } = await postGupshup(scene.server, scene.account.botId, body);
    expect(status).toBe(200);
    await scene.taken();
  };

  const messageOf = (phone: string, text: string): object => ({
    id: wamid(),
    source: phone,
    type: 'text',
    payload: { text },
    sender: { phone, name: 'Aida', country_code: '7', dial_code: phone.slice(1) },
  });

  beforeAll(() => scene.account.connect('waba', { sender: '77270000001' }));

  it('tells of a customer’s message at the bot’s own address', async () => {
    const phone = somePhone();
    await post('message', messageOf(phone, 'привет'));
    const { rows } = await scene.database.pool.query(
      'SELECT bot_id, channel, customer_name, unread_count FROM threads WHERE contact = $1',
      [`+${phone}`],
    );
    expect(rows).toEqual([
      { bot_id: scene.account.botId, channel: 'waba', customer_name: 'Aida', unread_count: 1 },
    ]);
  });

  it.each([
    ['as it is', '77270000002', '77270000002'],
    ['Mexico with the 1', '525512345678', '5215512345678'],
    ['Mexico without it', '5215587654321', '525587654321'],
    ['Brazil without the ninth digit', '5511987654321', '551187654321'],
    ['Argentina without the 9', '5491123456789', '541123456789'],
  ])(
    'passes on that Meta took a number away, %s: another one stops nothing, and is kept as a reject',
    async (_, sender, told) => {
      const bot = await scene.account.addBot();
      await scene.account.connect('waba', { botId: bot, sender });
      await scene.database.pool.query('UPDATE bot_channels SET phone = NULL WHERE sender = $1', [sender]);
      const after = async (phone: string): Promise<object[]> => {
        await scene.database.pool.query('TRUNCATE webhook_rejects');
        const value = { event: 'PARTNER_REMOVED', phone_number: phone };
        const entry = [{ id: '900000000000001', changes: [{ field: 'account_update', value }] }];
        const body = { object: 'whatsapp_business_account', gs_app_id: randomUUID(), entry };
        expect((await postGupshup(scene.server, bot, body)).status).toBe(200);
        await scene.taken();
        const { rows } = await scene.database.pool.query<object>(
          `SELECT stopped_at IS NULL AS sends, (SELECT count(*)::int FROM webhook_rejects) AS rejects
           FROM bot_channels WHERE bot_id = $1`,
          [bot],
        );
        return rows;
      };
      expect(await after('77275550000')).toEqual([{ sends: true, rejects: 1 }]);
      expect(await after(told)).toEqual([{ sends: false, rejects: 0 }]);
    },
  );

  it('tells that a customer opted out', async () => {
    const phone = somePhone();
    await post('message', messageOf(phone, 'привет'));
    await post('user-event', { phone, type: 'opted-out' });
    expect(await scene.dialog(`+${phone}`)).toMatchObject({ opted_out: true, ai_enabled: false });
  });
});
