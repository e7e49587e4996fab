import { randomUUIDv7 } from 'node:crypto';
import { newPhone, setSendScene } from '../../support/scenes/send.scene';

const scene = setSendScene();
const BODY_LIMIT_BYTES = 1024 * 1024;

interface Given {
  header?: string;
  body: string;
  names: string[];
}

/** Registers a template with named variables; gives the name to send it by. */
async function registerNamed({ header, body, names }: Given): Promise<string> {
  const id = randomUUIDv7();
  await scene.database.pool.query(
    `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status,
       parameter_format, header, body, params_count, param_names)
     VALUES ($1, $2::uuid, $3, 'waba_coexistence', $2::text, 'named_' || $2::text, 'ru', 'utility', 'approved', 'named', $4, $5, $6, $7)`,
    [
      scene.account.id,
      id,
      scene.account.botId,
      header === undefined ? null : JSON.stringify({ format: 'text', text: header }),
      body,
      names.length,
      names,
    ],
  );
  return id;
}

const componentsTo = (phone: string): unknown =>
  (scene.provider.sendsTo(phone)[0]!.body.template as { components: unknown }).components;

describe('a header with a named variable', () => {
  it('is sent under the name that the registered template has there', async () => {
    const templateId = await registerNamed({
      header: 'For {{ who }}',
      body: 'Until {{day}}.',
      names: ['day'],
    });
    const phone = newPhone();
    const to = { phone, header: { type: 'text', text: 'Aida' }, named_params: { day: 'Monday' } };
    expect((await scene.send(to, { template_id: templateId })).status).toBe(200);
    expect(componentsTo(phone)).toEqual([
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'who', text: 'Aida' }] },
      { type: 'body', parameters: [{ type: 'text', parameter_name: 'day', text: 'Monday' }] },
    ]);
  });

  it('is sent under the name that the caller gives for a template that is not registered', async () => {
    const phone = newPhone();
    const to = { phone, header: { type: 'text', name: 'who', text: 'Aida' } };
    expect((await scene.send(to, { template_id: 'elsewhere' })).status).toBe(200);
    expect(componentsTo(phone)).toEqual([
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'who', text: 'Aida' }] },
    ]);
  });

  it('is sent without a name where the variables are numbered', async () => {
    const phone = newPhone();
    expect((await scene.send({ phone, header: { type: 'text', text: 'Aida' } })).status).toBe(200);
    expect(componentsTo(phone)).toEqual([{ type: 'header', parameters: [{ type: 'text', text: 'Aida' }] }]);
  });
});

it('sends a variable with the longest name that the registry takes', async () => {
  const name = 'n'.repeat(100);
  const templateId = await registerNamed({ body: `Hello {{${name}}}.`, names: [name] });
  const phone = newPhone();
  const { status, body } = await scene.send(
    { phone, named_params: { [name]: 'Aida' } },
    { template_id: templateId },
  );
  expect(status).toBe(200);
  expect((await scene.api.getMessage(body.data.id)).body.data.text).toBe('Hello Aida.');
});

describe('leaves to the provider', () => {
  it.each<[string, object]>([
    ['how many values there are', { params: Array.from({ length: 150 }, (_, n) => `${n}`) }],
    ['how long a value is', { params: ['я'.repeat(40_000)] }],
    [
      'how many named values there are',
      { named_params: Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`v${n}`, 'x'])) },
    ],
    ['how long a header is', { header: { type: 'text', text: 'x'.repeat(3_000) } }],
    [
      'how long an address of a file is',
      { header: { type: 'image', link: `https://a.kz/${'x'.repeat(3_000)}` } },
    ],
  ])('%s', async (_, values) => {
    const phone = newPhone();
    expect((await scene.send({ phone, ...values })).status).toBe(200);
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });
});

it.each<[string, (filling: string) => object]>([
  ['values', (filling) => ({ params: Array.from({ length: filling.length / 2 }, () => 0) })],
  ['buttons', (filling) => ({ buttons: Array.from({ length: filling.length / 2 }, () => 0) })],
  [
    'named values',
    (filling) => ({
      named_params: Object.fromEntries(Array.from({ length: filling.length / 12 }, (_, n) => [`v${n}`, 0])),
    }),
  ],
])(
  'refuses a body that is full of wrong %s with a list of what is wrong that can be read',
  async (_, fill) => {
    const filling = 'x'.repeat(BODY_LIMIT_BYTES - 4_096);
    const { status, body } = await scene.send({ phone: newPhone(), ...fill(filling) });
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.error.details?.length).toBeLessThanOrEqual(100);
  },
);
