import { randomInt } from 'node:crypto';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { setReplyScene } from '../../support/scenes/reply.scene';
import { somePhone } from '../../support/scenes/inbound.scene';
import { answer } from '../../support/stand-ins/scripted.provider';
import {
  cloudBody,
  postGupshup,
  wamid,
  type Change,
  type Customer,
} from '../../support/stand-ins/cloud.webhooks';

/**
 * What is known of a customer: the phone that was dialled, the number by which the messenger knows them (before and after
 * they change it), the user id (likewise).
 */
type Address = 'dialled' | 'number' | 'user' | 'nextNumber' | 'nextUser';
/** How a dialog came to be known: somebody sent to a phone, or the customer wrote by an address. */
type Known = 'sent to dialled' | 'sent to number' | 'wrote by number' | 'wrote by user';
type Person = Record<Address, string>;

interface Way {
  name: string;
  /** The addresses that it tells; together they are one customer's. */
  tells: readonly Address[];
  /** Of a message in the dialog that is known first, which is the same customer's by that alone. */
  isOfMessage?: boolean;
  /** Only of a customer who has been known by one of these. */
  about?: readonly Address[];
  /** What does not lead to the customer any more. */
  givesUp?: Address;
  /** By this one it comes in: where nobody has it, it opens a dialog. */
  opens?: Address;
  /** @returns the event, or the contact that a send is answered with */
  tell: (person: Person, messageId: string) => object;
}

const ADDRESS_OF: Record<Known, Address> = {
  ...{ 'sent to dialled': 'dialled', 'sent to number': 'number' },
  ...{ 'wrote by number': 'number', 'wrote by user': 'user' },
};

/** Who is known by what before: one dialog, or several in the order in which they came to be. */
const KNOWN: readonly (readonly Known[])[] = [
  ['sent to dialled'],
  ['sent to number'],
  ['wrote by number'],
  ['wrote by user'],
  ['sent to dialled', 'wrote by number'],
  ['wrote by number', 'sent to dialled'],
  ['sent to dialled', 'wrote by user'],
  ['wrote by user', 'sent to dialled'],
  ['sent to number', 'wrote by user'],
  ['wrote by user', 'sent to number'],
  ['wrote by number', 'wrote by user'],
  ['wrote by user', 'wrote by number'],
];

const scene = setReplyScene();

const customerBy = (address: Address, person: Person): Customer =>
  address === 'user' || address === 'nextUser' ? { userId: person[address] } : { phone: person[address] };
const both = ({ number, user }: Person): Customer => ({ phone: number, userId: user });
const contactOf = ({ number, user }: Person): object => ({ wa_id: number, user_id: user });
const system = (type: string, content: object): object => ({
  type: 'system',
  system: { body: 'changed', type, ...content },
});
const card = (digits: string): object => ({
  name: { formatted_name: 'Dana' },
  phones: [{ phone: `+${digits}`, wa_id: digits }],
});

/** A change without the contacts that usually come with it, or with other ones. */
function withContacts(change: Change, contacts?: object[]): Change {
  return { ...change, value: { ...change.value, contacts } };
}
/** An echo with further addresses in it. */
function echoTo(to: Customer, addresses: object, contacts?: object[]): Change {
  const change = withContacts(scene.number.echo(to, 'от человека'), contacts);
  for (const each of (change.value as { message_echoes: object[] }).message_echoes)
    Object.assign(each, addresses);
  return change;
}

const NUMBER_AND_USER = ['number', 'user'] as const;

const META: readonly Way[] = [
  ...([['number'], ['user'], NUMBER_AND_USER] as const).map((tells) => ({
    ...{ name: `the answer to a send, ${tells.join(' and ')}`, tells, isOfMessage: true },
    tell: (person: Person) => ({
      answer: {
        ...((tells as readonly string[]).includes('number') && { wa_id: person.number }),
        ...((tells as readonly string[]).includes('user') && { user_id: person.user }),
      },
    }),
  })),
  ...(['sent', 'delivered', 'read', 'failed'] as const).map((state) => ({
    ...{ name: `a state "${state}"`, tells: NUMBER_AND_USER, isOfMessage: true },
    tell: ({ number, user }: Person, messageId: string) =>
      scene.number.status(messageId, state, { recipient_id: number, recipient_user_id: user }),
  })),
  {
    ...{ name: 'a state with recipient_id alone', tells: ['number'], isOfMessage: true },
    tell: ({ number }, messageId) => scene.number.status(messageId, 'delivered', { recipient_id: number }),
  },
  {
    ...{ name: 'a state with recipient_user_id alone', tells: ['user'], isOfMessage: true },
    tell: ({ user }, messageId) => scene.number.status(messageId, 'delivered', { recipient_user_id: user }),
  },
  {
    ...{ name: 'a state with its contact', tells: NUMBER_AND_USER, isOfMessage: true },
    tell: (person, messageId) =>
      withContacts(scene.number.status(messageId, 'delivered', { recipient_id: person.number }), [
        contactOf(person),
      ]),
  },
  {
    ...{ name: 'a message with from and from_user_id', tells: NUMBER_AND_USER },
    tell: (person) => withContacts(scene.number.message(both(person), 'это я')),
  },
  {
    ...{ name: 'a message with from, and its contact', tells: NUMBER_AND_USER },
    tell: (person) =>
      withContacts(scene.number.message({ phone: person.number }, 'это я'), [contactOf(person)]),
  },
  {
    ...{ name: 'a message with from_user_id, and its contact', tells: NUMBER_AND_USER },
    tell: (person) =>
      withContacts(scene.number.message({ userId: person.user }, 'это я'), [contactOf(person)]),
  },
  {
    ...{ name: 'a message that is nothing to be answered', tells: NUMBER_AND_USER },
    tell: (person) =>
      scene.number.message(both(person), {
        ...{ type: 'reaction', reaction: { emoji: '👍', message_id: wamid() } },
      }),
  },
  ...(['to_user_id', 'recipient_user_id'] as const).map((name) => ({
    ...{ name: `an echo with to and ${name}`, tells: NUMBER_AND_USER },
    tell: ({ number, user }: Person) => echoTo({ phone: number }, { [name]: user }),
  })),
  {
    ...{ name: 'an echo with to, and its contact', tells: NUMBER_AND_USER },
    tell: (person) => echoTo({ phone: person.number }, {}, [contactOf(person)]),
  },
  {
    ...{ name: 'an echo with to_user_id, and its contact', tells: NUMBER_AND_USER },
    tell: (person) => echoTo({}, { to_user_id: person.user }, [contactOf(person)]),
  },
  {
    ...{ name: 'a call that was missed', tells: NUMBER_AND_USER },
    tell: (person) => scene.number.missedCall(both(person)),
  },
  {
    ...{ name: 'a message that another AI was to answer', tells: NUMBER_AND_USER },
    tell: (person) => scene.number.standbyMessage(both(person), 'это я'),
  },
  {
    ...{ name: 'a preference', tells: NUMBER_AND_USER },
    tell: (person) => scene.number.preference(both(person), 'stop'),
  },
  ...([{ origin: 'contact_request' }, {}] as const).map((inCard) => ({
    ...{
      name: `a contact_request at the ${'origin' in inCard ? 'contact' : 'message'}`,
      tells: NUMBER_AND_USER,
    },
    tell: ({ number, user }: Person) =>
      scene.number.message(
        { userId: user },
        {
          type: 'contacts',
          contacts: [{ ...card(number), ...inCard }],
          ...('origin' in inCard ? {} : { origin: 'contact_request' }),
        },
      ),
    opens: 'user' as const,
  })),
  {
    ...{
      name: 'user_changed_number of a number',
      tells: ['nextNumber'],
      about: ['number'],
      givesUp: 'number',
    },
    tell: ({ number, nextNumber }) =>
      withContacts(
        scene.number.message({ phone: number }, system('user_changed_number', { wa_id: nextNumber })),
      ),
  },
  {
    ...{ name: 'user_changed_number of a user id', tells: ['nextNumber', 'user'], about: ['user'] },
    tell: ({ user, nextNumber }) =>
      withContacts(
        scene.number.message({ userId: user }, system('user_changed_number', { new_wa_id: nextNumber })),
      ),
  },
  {
    ...{ name: 'user_changed_number with a new user id', tells: ['nextNumber', 'nextUser'] },
    ...{ about: ['number'], givesUp: 'number' },
    tell: ({ number, nextNumber, nextUser }) =>
      withContacts(
        scene.number.message(
          { phone: number },
          system('user_changed_number', { wa_id: nextNumber, user_id: nextUser }),
        ),
      ),
  },
  {
    ...{ name: 'user_changed_user_id of a former one', tells: ['user', 'nextUser'], about: ['user'] },
    tell: ({ user, nextUser }) =>
      withContacts(
        scene.number.message(
          { userId: nextUser },
          system('user_changed_user_id', { user_id: nextUser, previous_user_id: user }),
        ),
      ),
  },
  {
    ...{ name: 'user_changed_user_id of the sender', tells: ['user', 'nextUser'], about: ['user'] },
    tell: ({ user, nextUser }) =>
      withContacts(
        scene.number.message({ userId: user }, system('user_changed_user_id', { user_id: nextUser })),
      ),
  },
  {
    ...{ name: 'user_changed_user_id of a number', tells: ['number', 'nextUser'], about: ['number'] },
    tell: ({ number, nextUser }) =>
      withContacts(
        scene.number.message({ phone: number }, system('user_changed_user_id', { user_id: nextUser })),
      ),
  },
];

/** An event of Gupshup's own. */
const event = (type: string, payload: object): object => ({
  ...{ app: 'ClinicApp', timestamp: Date.now(), version: 2, type, payload },
});
/** Meta's events as Gupshup passes them on. */
const passedOn = (field: string, value: object): object => ({
  ...{ object: 'whatsapp_business_account', gs_app_id: 'app' },
  entry: [
    { id: '800000000000001', changes: [{ field, value: { messaging_product: 'whatsapp', ...value } }] },
  ],
});

const GUPSHUP: readonly Way[] = [
  ...(['enqueued', 'sent', 'delivered', 'read', 'failed'] as const).map((type) => ({
    ...{ name: `a message-event "${type}"`, tells: NUMBER_AND_USER, isOfMessage: true },
    tell: ({ number, user }: Person, messageId: string) =>
      event('message-event', {
        ...{ gsId: messageId, id: wamid(), type, destination: number, userId: user },
        payload: { ts: Math.floor(Date.now() / 1000) },
      }),
  })),
  {
    ...{ name: 'a message-event with destination alone', tells: ['number'], isOfMessage: true },
    tell: ({ number }, messageId) =>
      event('message-event', { gsId: messageId, id: wamid(), type: 'delivered', destination: number }),
  },
  {
    ...{ name: 'a message-event with userId alone', tells: ['user'], isOfMessage: true },
    tell: ({ user }, messageId) =>
      event('message-event', { gsId: messageId, id: wamid(), type: 'delivered', userId: user }),
  },
  {
    ...{ name: 'a billing-event', tells: ['number'], isOfMessage: true },
    tell: ({ number }, messageId) =>
      event('billing-event', {
        deductions: { type: 'regular', model: 'PMP', billable: true, category: 'utility' },
        references: { id: wamid(), gsId: messageId, destination: number },
      }),
  },
  ...(['sender', 'payload'] as const).map((where) => ({
    ...{ name: `a message with the user id at the ${where}`, tells: NUMBER_AND_USER },
    tell: ({ number, user }: Person) =>
      event('message', {
        ...{ id: wamid(), source: number, type: 'text', payload: { text: 'это я' } },
        sender: { phone: number, ...(where === 'sender' && { userId: user }) },
        ...(where === 'payload' && { userId: user }),
      }),
  })),
  {
    ...{ name: 'a user-event', tells: NUMBER_AND_USER },
    tell: ({ number, user }) => event('user-event', { phone: number, userId: user, type: 'opted-out' }),
  },
  {
    ...{ name: 'a preference-event', tells: NUMBER_AND_USER },
    tell: (person) => {
      const [category, value] = ['marketing_messages', 'stop'];
      const user_preferences = [
        { ...contactOf(person), category, value, timestamp: Math.floor(Date.now() / 1000) },
      ];
      return event('preference-event', { type: 'user_preferences', payload: { user_preferences } });
    },
  },
  {
    ...{ name: 'a message passed on', tells: NUMBER_AND_USER },
    tell: ({ number, user }) =>
      passedOn('messages', {
        messages: [
          {
            ...{ from: number, from_user_id: user, id: wamid(), type: 'text', text: { body: 'это я' } },
            timestamp: String(Math.floor(Date.now() / 1000)),
          },
        ],
      }),
  },
  {
    ...{ name: 'a state passed on', tells: NUMBER_AND_USER, isOfMessage: true },
    tell: ({ number, user }, messageId) =>
      passedOn('messages', {
        statuses: [
          {
            ...{
              gs_id: messageId,
              id: wamid(),
              status: 'delivered',
              timestamp: String(Math.floor(Date.now() / 1000)),
            },
            ...{ recipient_id: number, recipient_user_id: user },
          },
        ],
      }),
  },
  {
    ...{ name: 'an echo passed on', tells: NUMBER_AND_USER },
    tell: ({ number, user }) =>
      passedOn('smb_message_echoes', {
        message_echoes: [
          {
            ...{
              from: '77270000000',
              to: number,
              to_user_id: user,
              id: wamid(),
              type: 'text',
              text: { body: 'мы' },
            },
            timestamp: String(Math.floor(Date.now() / 1000)),
          },
        ],
      }),
  },
  {
    ...{ name: 'a new user id passed on', tells: ['user', 'nextUser'], about: ['user'] },
    tell: ({ user, nextUser }) =>
      passedOn('messages', {
        messages: [
          {
            ...{ from_user_id: user, id: wamid(), timestamp: String(Math.floor(Date.now() / 1000)) },
            ...system('user_changed_user_id', { user_id: nextUser }),
          },
        ],
      }),
  },
];

/** Whether a way tells of the customer of these dialogs, and ties all of them together. */
const isTold = ({ tells, isOfMessage = false, about = [] }: Way, known: readonly Known[]): boolean =>
  known
    .slice(isOfMessage ? 1 : 0)
    .every((each) => tells.includes(ADDRESS_OF[each]) || about.includes(ADDRESS_OF[each]));

/** How the customer is made to get no answer any more: before all addresses are told, or by one of them afterwards. */
type Silence = 'off before' | 'STOP before' | { by: 'off' | 'STOP'; address: Address };

interface Case {
  title: string;
  way: Way;
  known: readonly Known[];
  silence: Silence;
  person: Person;
  /** The dialogs that are known first, in their order. */
  dialogs: string[];
  messageId: string;
}

/**
 * Every known customer and every silence in the long mode. Else each way is told of every second of them, where they are
 * more than two, and silenced once, by turns.
 */
function casesOf(ways: readonly Way[]): Case[] {
  let turn = 0;
  return ways.flatMap((way, nth) => {
    const all = KNOWN.filter((known) => isTold(way, known));
    const half = all.filter((_, n) => IS_LONG || all.length < 3 || n % 2 === nth % 2);
    return half.flatMap((known) => {
      const leading = leadingTo(way, known);
      const silences: Silence[] = [
        ...(['off before', 'STOP before'] as const),
        ...leading.flatMap((address) => [{ by: 'off', address } as const, { by: 'STOP', address } as const]),
      ];
      const chosen = silences.filter((_, n) => IS_LONG || n === turn % silences.length);
      turn += 1;
      return chosen.map((silence) => ({
        title: `${way.name}; ${known.join(', then ')}; ${JSON.stringify(silence)}`,
        ...{ way, known, silence, dialogs: [], messageId: wamid() },
        person: { ...phonesOf(way, turn), ...{ user: someUser(), nextUser: someUser() } },
      }));
    });
  });
}

/** As people dial a number, and as the messenger has it. */
const FORMS: readonly ((subscriber: string) => readonly [dialled: string, number: string])[] = [
  (subscriber) => [`55119${subscriber}`, `5511${subscriber}`],
  (subscriber) => [`5255${subscriber}`, `52155${subscriber}`],
  (subscriber) => [`52155${subscriber}`, `5255${subscriber}`],
];

/**
 * Every second customer is of Brazil or Mexico, where the messenger knows a number by other digits. Whoever gives such a number
 * up gives both forms of it up, so those have others.
 */
function phonesOf(way: Way, turn: number): Pick<Person, 'dialled' | 'number' | 'nextNumber'> {
  const nextNumber = somePhone();
  const form = turn % 2 === 0 && way.givesUp === undefined ? FORMS[(turn / 2) % FORMS.length] : undefined;
  const [dialled, number] = form?.(somePhone().slice(-8)) ?? [somePhone(), somePhone()];
  return { dialled, number, nextNumber };
}

const someUser = (): string => `KZ.${randomInt(1e12, 2e12)}`;

/** The addresses that lead to the customer's dialogs once all is told. */
const leadingTo = ({ tells, givesUp }: Way, known: readonly Known[]): Address[] => [
  ...new Set([...known.map((each) => ADDRESS_OF[each]), ...tells].filter((each) => each !== givesUp)),
];

interface Messenger {
  channel: 'waba_coexistence' | 'waba';
  ways: readonly Way[];
  message: (from: Customer, text: string, id?: string) => object;
  post: (events: readonly object[]) => Promise<void>;
}

/** What Meta tells comes one by one in the long mode, else so much together. */
const TOGETHER = IS_LONG ? 1 : 40;

const meta: Messenger = {
  ...{ channel: 'waba_coexistence', ways: META },
  message: (from, text, id) => scene.number.message(from, text, { id }),
  async post(events) {
    for (let from = 0; from < events.length; from += TOGETHER)
      await scene.post(cloudBody(events.slice(from, from + TOGETHER) as Change[]));
  },
};

const gupshup: Messenger = {
  ...{ channel: 'waba', ways: GUPSHUP },
  message: ({ phone, userId }, text, id = wamid()) =>
    event('message', { id, source: phone, type: 'text', payload: { text }, sender: { phone, userId } }),
  async post(events) {
    for (const each of events)
      expect((await postGupshup(scene.server, scene.account.botId, each)).status).toBe(200);
  },
};

/** Sends a template, whose answer names the recipient so. @returns the dialog */
async function send(to: object, phone: string, contact: object): Promise<string> {
  scene.provider.on(phone, (response, { reference }) =>
    answer(response, 200, {
      contacts: [{ input: phone, ...contact }],
      messages: [{ id: `wamid.${reference}` }],
    }),
  );
  const { status, body } = await scene.api.sendTemplate({
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
    to: { ...to, params: ['Айгуль', '15:30'] },
  });
  expect([status, body]).toMatchObject([200, { data: { status: 'sent' } }]);
  return (body.data.thread_id as string).slice('thread_'.length);
}

/** The dialogs in which messages of these ids are. */
async function dialogsWith(ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await scene.database.pool.query<{ provider_id: string; thread_id: string }>(
    'SELECT provider_id, thread_id FROM messages WHERE provider_id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map(({ provider_id, thread_id }) => [provider_id, thread_id]));
}

/** A few calls of the API at once. */
async function forEach<T>(list: readonly T[], call: (each: T, n: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < list.length; from += 8)
    await Promise.all(list.slice(from, from + 8).map((each, n) => call(each, from + n)));
}

/** Opens the dialogs of all cases in which a customer is known at least so often. */
async function open(
  cases: readonly Case[],
  nth: number,
  { channel, message, post }: Messenger,
): Promise<void> {
  const ids = cases.map(() => wamid());
  const written: object[] = [];
  await forEach(cases, async ({ known, person, dialogs }, n) => {
    const kind = known[nth];
    if (kind === undefined) return;
    const address = ADDRESS_OF[kind];
    const phone = `+${person[address]}`;
    if (kind.startsWith('wrote')) written.push(message(customerBy(address, person), 'здравствуйте', ids[n]));
    else if (channel === 'waba_coexistence') dialogs.push(await send({ phone }, phone, {}));
    else dialogs.push((await scene.account.addThread({ channel, phone })).slice('thread_'.length));
  });
  await post(written);
  await scene.taken();
  const opened = await dialogsWith(ids);
  for (const [n, { dialogs }] of cases.entries()) {
    const id = opened.get(ids[n] ?? '');
    if (id !== undefined) dialogs.push(id);
  }
}

const untilQuiet = (): Promise<unknown> =>
  eventually(
    async () => {
      const due = `SELECT 1 FROM replies WHERE state = 'due' OR lease_until > clock_timestamp() LIMIT 1`;
      return (await scene.database.pool.query(due)).rowCount === 0;
    },
    60_000,
    'replies were left under way',
  );

async function switchOff(dialog: string | undefined): Promise<void> {
  const { status } = await scene.api.setAi(`thread_${dialog}`, false);
  expect(status).toBe(200);
}

interface State {
  id: string;
  off: boolean;
  stopped: boolean;
  family: string[];
  replies: number;
}

async function statesOf(): Promise<Map<string, State>> {
  const { rows } = await scene.database.pool.query<State>(
    `SELECT t.id, NOT t.ai_enabled AS off, t.opted_out AS stopped, array_append(coalesce(t.same_customer, '{}'), t.id) AS family,
            (SELECT count(*)::int FROM replies r WHERE r.account_id = t.account_id AND r.thread_id = t.id) AS replies
       FROM threads t`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes by each address that leads to the customer. @returns what is wrong with what follows */
async function faultsOf(cases: readonly Case[], { message, post }: Messenger): Promise<string[]> {
  const asked = cases.flatMap((one) =>
    leadingTo(one.way, one.known).map((address) => ({ one, address, id: wamid() })),
  );
  const before = await statesOf();
  await post(
    asked.map(({ one, address, id }) => message(customerBy(address, one.person), 'отвечает кто-нибудь?', id)),
  );
  await scene.taken();
  await untilQuiet();
  const reached = await dialogsWith(asked.map(({ id }) => id));
  const states = await statesOf();
  return cases.flatMap((one) => {
    const { title, way, known, silence, dialogs } = one;
    const its = asked
      .filter((each) => each.one === one)
      .map(({ address, id }) => ({ address, id: reached.get(id) }));
    const all = [...new Set([...dialogs, ...its.map(({ id }) => id ?? 'nowhere')])].sort();
    const opens = way.opens !== undefined && !known.some((each) => ADDRESS_OF[each] === way.opens);
    const isStopped = JSON.stringify(silence).toLowerCase().includes('stop');
    const wrong = [
      ...its.flatMap(({ address, id = '' }) =>
        dialogs.includes(id) || (opens && address === way.opens) ? [] : [`${address} leads elsewhere`],
      ),
      ...all.flatMap((id, n) => {
        const { off, stopped, family, replies } = states.get(id) ?? {
          ...{ off: false, stopped: false, family: [], replies: 0 },
        };
        return [
          ...(off ? [] : [`dialog ${n + 1} is on`]),
          ...(isStopped && !stopped ? [`dialog ${n + 1} is not stopped`] : []),
          ...(family.sort().join() === all.join() ? [] : [`dialog ${n + 1} does not know the other`]),
          ...(replies > (before.get(id)?.replies ?? 0) ? [`dialog ${n + 1} is answered`] : []),
        ];
      }),
    ];
    return wrong.length > 0 ? [`${title}: ${wrong.join(', ')}`] : [];
  });
}

/** Tells all, each of a customer of its own. An answer to a send is told by sending. */
async function tellAll(cases: readonly Case[], { post }: Messenger): Promise<void> {
  const events: object[] = [];
  await forEach(cases, async ({ way, known, person, dialogs, messageId }) => {
    const told = way.tell(person, messageId);
    if (!('answer' in told)) events.push(told);
    else {
      const [first = 'wrote by user'] = known;
      const to = first === 'wrote by user' ? person.user : `+${person[ADDRESS_OF[first]]}`;
      await send({ thread_id: `thread_${dialogs[0]}` }, to, told.answer as object);
    }
  });
  await post(events);
  await scene.taken();
}

async function walk(messenger: Messenger): Promise<{ customers: number; faults: string[] }> {
  const { channel, message, post } = messenger;
  const cases = casesOf(messenger.ways);
  await open(cases, 0, messenger);
  await open(cases, 1, messenger);
  await untilQuiet();
  await forEach(cases, async ({ dialogs, messageId, silence }) => {
    await scene.addOutgoing(dialogs[0] ?? '', { status: 'sent', providerId: messageId, channel });
    if (silence === 'off before') await switchOff(dialogs.at(-1));
  });
  await post(
    cases.flatMap(({ silence, known, person }) => {
      const by = known.at(-1);
      return silence === 'STOP before' && by ? [message(customerBy(ADDRESS_OF[by], person), 'СТОП')] : [];
    }),
  );
  await scene.taken();
  await tellAll(cases, messenger);
  const after = cases.flatMap(({ silence, person }) =>
    typeof silence === 'object'
      ? [{ ...silence, from: customerBy(silence.address, person), id: wamid() }]
      : [],
  );
  await post(after.map(({ by, from, id }) => message(from, by === 'STOP' ? 'СТОП' : 'вопрос', id)));
  await scene.taken();
  const asked = await dialogsWith(after.map(({ id }) => id));
  await forEach(after, async ({ by, id }) => {
    if (by === 'off') await switchOff(asked.get(id));
  });
  await untilQuiet();
  return { customers: cases.length, faults: await faultsOf(cases, messenger) };
}

it.each([
  ['Meta', meta],
  ['Gupshup', gupshup],
])(
  '%s: however an address is told, and by whatever the customer was known, there is one dialog or ones that know of each other, in which off and STOP hold',
  async (name, messenger) => {
    if (messenger === gupshup) await scene.account.connect('waba');
    const { customers, faults } = await walk(messenger);
    console.info(`${name}: ${customers} customers, ${messenger.ways.length} ways`);
    expect(faults).toEqual([]);
  },
  900_000,
);
