import { accept, refuse } from '../../support/stand-ins/scripted.provider';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';
import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';

const scene = setSendScene({ servers: 2 });

let lastKey = 0;
const newKey = (): string => `order-${(lastKey += 1)}`;
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const withoutRequestId = ({ status, text, body }: Answer): unknown[] => [
  status,
  text.replace(body.error?.request_id ?? 'none', ''),
];

/** Repeats a call until the first one with its key is over. */
async function untilAnswered(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 409) return answer;
    expect(answer.body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

it('eight calls with one key on two processes: one send, equal answers', async () => {
  const phone = newPhone();
  const key = newKey();
  scene.provider.latencyMs = 50;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      untilAnswered(() => scene.send({ phone }, {}, { ...keyed(key), server: n % 2 })),
    ),
  );
  scene.provider.latencyMs = 0;
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(7);
});

it('eight calls with one key and a list: each recipient once, equal answers', async () => {
  const phones = newPhones(20);
  const key = newKey();
  const to = phones.map((phone) => ({ phone }));
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      untilAnswered(() => scene.send(to, {}, { ...keyed(key), server: n % 2 })),
    ),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const counts = scene.provider.counts();
  expect(phones.filter((phone) => counts.get(phone) !== 1)).toEqual([]);
});

it('a definite refusal of the provider is the answer again', async () => {
  const phone = newPhone();
  scene.provider.on(phone, refuse(400, 132000));
  const key = newKey();
  const [first, second] = [
    await scene.send({ phone }, {}, keyed(key)),
    await scene.send({ phone }, {}, keyed(key)),
  ];
  expect(first.status).toBe(502);
  expect(withoutRequestId(second)).toEqual(withoutRequestId(first));
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(scene.provider.sendsTo(phone)).toHaveLength(1);
});

it('the same body in another order of its keys is the same body; another one is 422, and nothing is sent', async () => {
  const [phone, other] = newPhones(2) as [string, string];
  const key = newKey();
  await scene.send({ phone, params: ['a'] }, {}, keyed(key));
  expect((await scene.send({ params: ['a'], phone }, {}, keyed(key))).status).toBe(200);
  expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  const { status, body } = await scene.send({ phone: other }, {}, keyed(key));
  expect([status, body.error.code, body.error.details?.[0]?.path]).toEqual([
    422,
    'VALIDATION_ERROR',
    'Idempotency-Key',
  ]);
  expect(scene.provider.sendsTo(other)).toHaveLength(0);
});

it('nothing is kept of a request that the quota refused, and a replay needs none', async () => {
  const key = newKey();
  const phone = newPhone();
  const send = () => scene.send({ phone }, {}, keyed(key));
  await scene.account.setQuota(0);
  expect((await scene.send({ phone: newPhone() }, {}, keyed(key))).body.error.code).toBe('QUOTA_EXCEEDED');
  await scene.account.setQuota(null);
  expect((await send()).status).toBe(200);
  await scene.account.setQuota(0);
  expect((await send()).status).toBe(200);
  await scene.account.setQuota(null);
  expect(scene.provider.sendsTo(phone)).toHaveLength(1);
});

it('a key is forgotten after 24 hours, and takes another body then', async () => {
  const key = newKey();
  const [phone, other] = newPhones(2) as [string, string];
  await scene.send({ phone }, {}, keyed(key));
  await scene.database.pool.query(
    `UPDATE idempotency_keys SET created_at = created_at - interval '24 hours 1 s' WHERE key = $1`,
    [key],
  );
  expect((await scene.send({ phone: other }, {}, keyed(key))).status).toBe(200);
  expect(scene.provider.sendsTo(other)).toHaveLength(1);
  expect((await scene.send({ phone }, {}, keyed(key))).status).toBe(422);
});

it('the first call is answered as a call was that came again before it', async () => {
  const phone = newPhone();
  const key = newKey();
  // A replay that found the claim expired has stored its answer, and then the provider accepts the message.
  const refusal = { code: 'PROVIDER_ERROR', message: 'told already', response: null };
  scene.provider.on(phone, async (...given) => {
    await scene.database.pool.query('UPDATE idempotency_keys SET answer = $2 WHERE key = $1', [
      key,
      JSON.stringify({ refusal }),
    ]);
    await accept(...given);
  });
  const first = await scene.send({ phone }, {}, keyed(key));
  const second = await scene.send({ phone }, {}, keyed(key));
  expect([first.status, first.body.error?.message]).toEqual([502, 'told already']);
  expect(withoutRequestId(second)).toEqual(withoutRequestId(first));
  expect(first.headers.get('idempotent-replayed')).toBeNull();
});

it('a key with a blank is none', async () => {
  const phone = newPhone();
  const { status, body } = await scene.send({ phone }, {}, keyed('with a blank'));
  expect([status, body.error?.details?.[0]?.path]).toEqual([422, 'Idempotency-Key']);
  expect(scene.provider.sendsTo(phone)).toHaveLength(0);
});

it('keys of two accounts are two keys', async () => {
  const other = await AccountFixture.create(scene.database.pool);
  await other.connect();
  const key = newKey();
  const phone = newPhone();
  await scene.send({ phone }, {}, keyed(key));
  const order = {
    bot_id: other.botId,
    channel: 'waba_coexistence',
    template_id: 'order_ready',
    to: { phone },
  };
  const { status } = await scene.apiAt(0, other.key).sendTemplate(order, { 'Idempotency-Key': key });
  expect(status).toBe(200);
  expect(scene.provider.sendsTo(phone)).toHaveLength(2);
});
