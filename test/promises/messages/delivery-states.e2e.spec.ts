import fc from 'fast-check';
import { cloudBody, secondsAgo, wamid, type Change } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { AccountFixture } from '../../support/database/fixture';
import {
  violationsOfVersions,
  setInboundScene,
  somePhone,
  type KeptMessage,
} from '../../support/scenes/inbound.scene';

const scene = setInboundScene({ servers: 2 });

const FAILURE = { code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' };
const SETTLED_WITHIN_MS = 10_000;
/** Of each kind, for each state that a message may be in. */
const ORDERS = IS_LONG ? 30 : 8;

interface Report {
  state: 'sent' | 'delivered' | 'read' | 'failed';
  at: number;
}

async function openDialog(): Promise<string> {
  const phone = somePhone();
  await scene.tell(scene.number.message({ phone }, 'привет'));
  return (await scene.dialog(`+${phone}`)).id;
}

const told = (id: string, { state, at }: Report, rest: object = {}): Change =>
  scene.number.status(id, state, {
    timestamp: String(at),
    ...(state === 'failed' ? { errors: [FAILURE] } : {}),
    ...rest,
  });

const RANK = { sent: 1, failed: 2, delivered: 3, read: 4 };

/** What a message must show after these reports, in whatever order they came. */
function outcomeOf(reports: readonly Report[]): object {
  const earliest = (...states: string[]): Date | null => {
    const times = reports.filter(({ state }) => states.includes(state)).map(({ at }) => at);
    return times.length === 0 ? null : new Date(Math.min(...times) * 1000);
  };
  const status = reports
    .map(({ state }) => state)
    .reduce((best, next) => (RANK[next] > RANK[best] ? next : best));
  return {
    status,
    accepted_at: earliest('sent', 'delivered', 'read'),
    delivered_at: earliest('delivered', 'read'),
    read_at: earliest('read'),
    failed_at: earliest('failed'),
    error_code: status === 'failed' ? 'PROVIDER_ERROR' : null,
    provider_code: status === 'failed' ? FAILURE.code : null,
  };
}

const stateOf = (message: KeptMessage): object => {
  const { status, accepted_at, delivered_at, read_at, failed_at, error_code, provider_code } = message;
  return { status, accepted_at, delivered_at, read_at, failed_at, error_code, provider_code };
};

describe('states in any order, with doubles', () => {
  const base = secondsAgo(1_800);
  const LADDER: Report[] = [
    { state: 'sent', at: base },
    { state: 'delivered', at: base + 2 },
    { state: 'read', at: base + 5 },
    { state: 'failed', at: base + 1 },
  ];
  const allTwice = fc.shuffledSubarray([...LADDER, ...LADDER], { minLength: 8, maxLength: 8 });
  const some = fc.shuffledSubarray([...LADDER, ...LADDER], { minLength: 1 });

  /** Before they come, the message is known by our reference, and once it is sent by the provider's id. */
  const FORMER = ['unknown', 'sending', 'queued', 'sent'];

  it('end in the right state, whatever the message was, and tell the provider’s id of it', async () => {
    const threadId = await openDialog();
    const tried = FORMER.flatMap((status) =>
      [...fc.sample(allTwice, ORDERS), ...fc.sample(some, ORDERS)].map((reports) => ({ status, reports })),
    );
    const cases = await Promise.all(
      tried.map(async ({ status, reports }, n) => {
        const providerId = wamid();
        const isKnown = status === 'sent';
        const id = await scene.addOutgoing(threadId, { status, providerId: isKnown ? providerId : null });
        // One that is none of our ids does no harm.
        const foreign = n % 2 === 0 ? {} : { biz_opaque_callback_data: "out-4711'" };
        const reference = isKnown ? foreign : { biz_opaque_callback_data: id };
        const changes = reports.map((report) => told(providerId, report, reference));
        return { was: { status, reports }, id, providerId, changes };
      }),
    );
    await scene.tell(...cases.flatMap(({ changes }) => changes));
    for (const { was, id, providerId } of cases) {
      const message = await scene.message(id);
      const end = { was, provider_id: message.provider_id, ...stateOf(message) };
      expect(end).toEqual({ was, provider_id: providerId, ...outcomeOf(was.reports) });
    }
    expect(violationsOfVersions(await scene.log(threadId))).toEqual([]);
  });

  it('end in the right state when all come at once on two processes', async () => {
    const threadId = await openDialog();
    const providerId = wamid();
    const id = await scene.addOutgoing(threadId);
    const bodies = [...LADDER, ...LADDER, ...LADDER].map((report) =>
      cloudBody([told(providerId, report, { biz_opaque_callback_data: id })]),
    );
    await Promise.all(bodies.map((body) => scene.post(body)));
    await scene.taken();
    expect(stateOf(await scene.message(id))).toEqual(outcomeOf(LADDER));
    expect(violationsOfVersions(await scene.log(threadId))).toEqual([]);
  });
});

it('a report that brings nothing new changes nothing, not even a version', async () => {
  const threadId = await openDialog();
  const providerId = wamid();
  await scene.addOutgoing(threadId, { status: 'sent', providerId });
  const change = told(providerId, { state: 'delivered', at: secondsAgo(5) });
  await scene.tell(change);
  const log = await scene.log(threadId);
  expect(log.at(-1)).toBe('3 message_state');
  await scene.tell(change, change);
  expect(await scene.log(threadId)).toEqual(log);
});

it('what a report names of the price stays on the message, whatever later ones leave out', async () => {
  const threadId = await openDialog();
  const providerId = wamid();
  const id = await scene.addOutgoing(threadId, { status: 'sent', providerId });
  const priceOf = async (): Promise<unknown> => {
    const { body } = await scene.api.getMessages({ thread_id: `thread_${threadId}` });
    const messages = body.data.messages as { id: string; pricing: unknown }[];
    const message = messages.find((each) => each.id === id);
    expect((await scene.api.getMessage(id)).body.data.pricing).toEqual(message?.pricing);
    return message?.pricing;
  };
  expect(await priceOf()).toBeNull();
  const pricing = { pricing_model: 'PMP', type: 'regular', category: 'utility' };
  await scene.tell(told(providerId, { state: 'sent', at: secondsAgo(9) }, { pricing }));
  const known = { billable: null, category: 'utility', type: 'regular', model: 'PMP' };
  expect(await priceOf()).toEqual(known);
  const log = await scene.log(threadId);
  const billable = { pricing: { billable: true } };
  await scene.tell(told(providerId, { state: 'sent', at: secondsAgo(9) }, billable));
  expect(await scene.log(threadId)).toEqual([...log, '4 message_state']);
  await scene.tell(
    told(providerId, { state: 'sent', at: secondsAgo(9) }, billable),
    told(providerId, { state: 'delivered', at: secondsAgo(8) }),
    told(providerId, { state: 'read', at: secondsAgo(7) }, { pricing: {} }),
  );
  expect(await priceOf()).toEqual({ ...known, billable: true });
  expect((await scene.api.getMessage(id)).body.data.status).toBe('read');
  expect(violationsOfVersions(await scene.log(threadId))).toEqual([]);
});

it('reports that name a message only by its id are applied once a report has contained the id', async () => {
  const threadId = await openDialog();
  const providerId = wamid();
  const id = await scene.addOutgoing(threadId);
  await scene.tell(told(providerId, { state: 'read', at: secondsAgo(1) }));
  expect(await scene.message(id)).toMatchObject({ status: 'unknown' });
  await scene.tell(told(providerId, { state: 'sent', at: secondsAgo(2) }, { biz_opaque_callback_data: id }));
  expect(await scene.message(id)).toMatchObject({ status: 'read' });
});

it('states that come before the message is known are applied once it is, in whatever process that happens', async () => {
  const threadId = await openDialog();
  const providerId = wamid();
  const at = secondsAgo(3);
  await scene.tell(
    told(providerId, { state: 'delivered', at }),
    told(providerId, { state: 'sent', at: at - 1 }),
  );
  // A process stored the outcome and ended; nothing asks for the waiting report.
  const id = await scene.addOutgoing(threadId, { status: 'sent', providerId });
  await eventually(
    async () => (await scene.message(id)).status === 'delivered',
    SETTLED_WITHIN_MS,
    'the parked states were not applied',
  );
  const parked = `SELECT 1 FROM parked_states WHERE provider_id = $1`;
  await eventually(
    async () => (await scene.database.pool.query(parked, [providerId])).rowCount === 0,
    SETTLED_WITHIN_MS,
    'the parked states were not cleared',
  );
});

it('a state of another account’s number moves nothing, whatever it refers to', async () => {
  const threadId = await openDialog();
  const providerId = wamid();
  const id = await scene.addOutgoing(threadId, { status: 'sent', providerId });
  const stranger = await scene.addNumber(await AccountFixture.create(scene.database.pool));
  await scene.tell(stranger.status(providerId, 'read', { biz_opaque_callback_data: id }));
  expect(await scene.message(id)).toMatchObject({ status: 'sent' });
});
