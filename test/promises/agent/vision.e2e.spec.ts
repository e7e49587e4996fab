import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { HTML, image, recorded } from '../../support/media.samples';
import { SHORT_TIMES } from '../../support/programs/test.limits';
import { setErasureScene } from '../../support/scenes/erasure.scene';
import { newCustomer } from '../../support/scenes/reply.scene';
import type { Customer } from '../../support/stand-ins/cloud.webhooks';

const scene = setErasureScene({ environment: SHORT_TIMES });

type Talker = Customer & { phone: string };
type Part = { type: string; text?: string; image_url?: { url: string } };

/** A customer whose name is in the instructions, by which requests are known. */
function named(): Talker {
  const customer = newCustomer();
  return { ...customer, name: customer.phone };
}

/** A customer sends a picture, and gets an answer. @returns the last message that the model got, as parts */
async function send(
  customer: Talker,
  bytes: Buffer,
  { type = 'image', caption }: { type?: string; caption?: string } = {},
): Promise<Part[]> {
  const id = randomUUID();
  scene.both.has(id, bytes, 'image/png');
  const before = scene.said(customer).length;
  await scene.model.reply({ text: 'Спасибо!' });
  await scene.tell(scene.number.message(customer, { type, [type]: { id, mime_type: 'image/png', caption } }));
  await scene.untilSaid(customer, before + 1);
  return lastOf(customer);
}

async function lastOf({ phone }: Talker): Promise<Part[]> {
  const asked = (await scene.model.requests(phone)).at(-1);
  const messages = (asked?.body.messages ?? []) as { role: string; content: string | Part[] }[];
  return messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

const pictures = (parts: Part[]): Promise<sharp.Metadata>[] =>
  parts.flatMap(({ image_url: shown }) => {
    if (!shown) return [];
    const [, base64 = ''] = /^data:image\/jpeg;base64,(.+)$/.exec(shown.url) ?? [];
    return [sharp(Buffer.from(base64, 'base64')).metadata()];
  });

async function setVision(vision: boolean): Promise<void> {
  const { status } = await scene.admin.admin('PATCH', `assistants/${scene.account.assistantId}`, { vision });
  expect(status).toBe(200);
}

it('an agent without vision is told of a picture in words', async () => {
  const parts = await send(named(), await image('png'), { caption: 'Такой есть?' });
  expect(parts).toEqual([
    {
      type: 'text',
      text: expect.stringMatching(
        /^\[image [0-9a-f]{8}\] A picture came\. You cannot see it: never guess what is on it\.\nТакой есть\?$/,
      ) as unknown,
    },
  ]);
});

describe('an agent with vision', () => {
  beforeAll(() => setVision(true));
  afterAll(() => setVision(false));

  it('sees a picture, scaled, with its caption', async () => {
    const parts = await send(named(), await image('png', 3_000, 1_500), { caption: 'Такой есть?' });
    expect(parts[0]?.text).toMatch(/^\[image [0-9a-f]{8}\] A picture came\. It is attached\.\nТакой есть\?$/);
    const [shown] = await Promise.all(pictures(parts));
    expect(shown).toMatchObject({ format: 'jpeg', width: 1_024, height: 512 });
  });

  it('sees the first frame of a sticker that moves, on white', async () => {
    const frames = Buffer.alloc(40 * 80 * 4, 0);
    const sticker = await sharp(frames, { raw: { width: 40, height: 80, channels: 4, pageHeight: 40 } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    const parts = await send(named(), sticker, { type: 'sticker' });
    expect(parts[0]?.text).toMatch(/^\[sticker [0-9a-f]{8}\] A sticker came\. It is attached\.$/);
    const [shown] = await Promise.all(pictures(parts));
    expect(shown).toMatchObject({ format: 'jpeg', width: 40, height: 40 });
    const [, base64 = ''] = /base64,(.+)$/.exec(parts[1]?.image_url?.url ?? '') ?? [];
    const { dominant } = await sharp(Buffer.from(base64, 'base64')).stats();
    expect(dominant.r).toBeGreaterThan(240);
  });

  it('sees the newest four, and is told of the others in words', async () => {
    const customer = named();
    for (const width of [10, 20, 30, 40]) await send(customer, await image('png', width, 10));
    const parts = await send(customer, await image('png', 50, 10));
    const widths = (await Promise.all(pictures(parts))).map(({ width }) => width);
    expect(widths).toEqual([20, 30, 40, 50]);
    expect(parts[0]?.text).toContain('You cannot see it');
  });

  it.each([
    ['in HEIC', async () => recorded('photo.heic')],
    ['of more than 50 megapixels', () => image('jpeg', 10_000, 5_001)],
  ])('is told in words of a photo %s, and answers', async (_, photo) => {
    const customer = named();
    const parts = await send(customer, await photo(), { caption: 'Такой есть?' });
    expect(parts).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /^\[image [0-9a-f]{8}\] A picture came\. You cannot see it: never guess what is on it\.\nТакой есть\?$/,
        ) as unknown,
      },
    ]);
    expect(scene.textsTo(customer)).toEqual(['Спасибо!']);
  });

  it('is told in words of what is no picture, whatever it was called', async () => {
    const parts = await send(named(), HTML);
    expect(pictures(parts)).toEqual([]);
  });

  it('does not see a picture that was deleted', async () => {
    const customer = named();
    await send(customer, await image('png', 60, 10));
    const [row] = await scene.query<{ provider_id: string }>(
      `SELECT m.provider_id FROM messages m JOIN threads t ON t.id = m.thread_id
        WHERE t.contact = $1 AND m.role = 'USER'`,
      `+${customer.phone}`,
    );
    await scene.tell(
      scene.number.message(customer, { type: 'revoke', revoke: { original_message_id: row?.provider_id } }),
    );
    await scene.tell(scene.number.message(customer, 'Забудьте'));
    await scene.untilSaid(customer, 2);
    expect(pictures(await lastOf(customer))).toEqual([]);
  });
});
