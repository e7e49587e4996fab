import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { eventually } from '../../support/eventually';
import { HTML, image, recorded } from '../../support/media.samples';
import { setErasureScene } from '../../support/scenes/erasure.scene';
import { newCustomer } from '../../support/scenes/reply.scene';
import { secondsAgo, wamid } from '../../support/stand-ins/cloud.webhooks';

const scene = setErasureScene();

const edit = (original: string, body: string): object => ({
  type: 'edit',
  edit: { original_message_id: original, message: { type: 'text', text: { body } } },
});
const revoke = (original: string): object => ({ type: 'revoke', revoke: { original_message_id: original } });

interface Shown {
  id: string;
  text: string;
  type: string;
  edited_at: string | null;
  deleted_at: string | null;
}

const shown = async (dialog: string): Promise<Shown[]> =>
  (await scene.api.getMessages({ thread_id: `thread_${dialog}` })).body.data.messages as Shown[];

const history = async (dialog: string): Promise<unknown[]> => {
  const { body } = await scene.api.getHistory({ thread_id: `thread_${dialog}` });
  return (body.data.entries as { type: string; from: unknown; to: unknown; by: string }[])
    .filter(({ type }) => type.startsWith('message_'))
    .map(({ type, from, to, by }) => [type, from, to, by]);
};

/** A dialog in which nobody answers, with one message. */
async function silent(text: string) {
  const customer = newCustomer();
  const original = wamid();
  const threadId = await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  await scene.tell(scene.number.message(customer, text, { id: original }));
  return { customer, original, dialog: threadId.replace('thread_', '') };
}

it('an edit changes the message that it names, on the card, in the search and in the history too', async () => {
  const { customer, original, dialog } = await silent('Две чашки');
  const [before] = await shown(dialog);
  const change = scene.number.message(customer, edit(original, 'Три блюдца'));
  await scene.tell(change);
  await scene.tell(change);
  const [message, ...others] = await shown(dialog);
  expect(others).toEqual([]);
  expect(message).toEqual({ ...before, text: 'Три блюдца', edited_at: expect.any(String) });
  expect(await history(dialog)).toEqual([['message_edited', 'Две чашки', 'Три блюдца', 'USER']]);
  const found = async (search: string): Promise<number> =>
    ((await scene.api.getThreads({ search, phones: [`+${customer.phone}`] })).body.data.threads as unknown[])
      .length;
  await eventually(async () => (await found('блюдца')) === 1, 10_000, 'the new words are not found');
  expect(await found('чашки')).toBe(0);
  expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({
    ...{ last_message_text: 'Три блюдца', unread_count: 1 },
    waiting_message_id: message?.id,
  });
});

it('an edit that was overtaken by a later one changes nothing', async () => {
  const { customer, original, dialog } = await silent('a');
  const [second, third] = [edit(original, 'b'), edit(original, 'c')];
  await scene.tell(scene.number.message(customer, third, { at: secondsAgo(5) }));
  await scene.tell(scene.number.message(customer, second, { at: secondsAgo(9) }));
  expect((await shown(dialog)).map(({ text }) => text)).toEqual(['c']);
});

it('an edit into STOP opts the customer out, once, until a later START', async () => {
  const { customer, original } = await silent('Стоит ли это того?');
  const stops = scene.number.message(customer, edit(original, 'Стоп'));
  await scene.tell(stops);
  expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({ opted_out: true });
  await scene.tell(scene.number.message(customer, 'СТАРТ'));
  await scene.tell(stops);
  expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({ opted_out: false });
});

it('a deletion empties the message, and exports keep what it said', async () => {
  const { customer, original, dialog } = await silent('До того');
  await scene.tell(scene.number.message(customer, revoke(original)));
  const { rows } = await scene.database.pool.query<{ text: string }>(
    'SELECT text FROM messages WHERE thread_id = $1',
    [dialog],
  );
  expect(rows).toEqual([{ text: '' }]);
  const place = wamid();
  const location = { type: 'location', location: { latitude: 43.2, longitude: 76.9, name: 'Тайное место' } };
  await scene.tell(scene.number.message(customer, location, { id: place }));
  await scene.tell(scene.number.message(customer, revoke(place)));
  await scene.tell(scene.number.message(customer, edit(place, 'снова')));
  const [message, first, ...others] = await shown(dialog);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ text: '', content: null, deleted_at: expect.any(String) });
  expect(message).toMatchObject({
    ...{ text: '', content: null, media: null, quoted: null, referral: null, deleted_at: expect.any(String) },
  });
  const deleted = ['message_deleted', null, null, 'USER'];
  expect(await history(dialog)).toEqual([deleted, deleted]);
  const exported = await scene.admin.admin('POST', `threads/thread_${dialog}/export`, {});
  const lines = exported.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: string });
  expect(lines.find(({ id }) => id === first?.id)).toMatchObject({
    ...{ text: 'До того', deleted_at: first?.deleted_at },
  });
  expect(lines.find(({ id }) => id === message?.id)).toMatchObject({
    content: { type: 'location', name: 'Тайное место' },
    deleted_at: message?.deleted_at,
  });
  expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({ last_message_text: '' });
});

interface Order {
  customer: ReturnType<typeof newCustomer>;
  original: string;
}
const fromCustomer = ({ customer }: Order, content: string | object, id?: string) =>
  scene.number.message(customer, content, id === undefined ? {} : { id });
const fromPhone = ({ customer }: Order, content: string | object, id?: string) =>
  scene.number.echo(customer, content, id);

it.each([
  ['an edit of a customer', fromCustomer, (original: string) => edit(original, 'Теперь так')],
  ['a deletion of a customer', fromCustomer, revoke],
  ['an edit of a person', fromPhone, (original: string) => edit(original, 'Теперь так')],
  ['a deletion of a person', fromPhone, revoke],
])('%s that comes before its message does what it does after it', async (_, by, revision) => {
  const inOrder = async (order: (told: Order) => Parameters<typeof scene.tell>) => {
    const { customer, dialog } = await silent('Первое');
    for (const change of order({ customer, original: wamid() })) await scene.tell(change);
    const [message, ...others] = await shown(dialog);
    expect(others).toHaveLength(1);
    const { text } = await scene.admin.admin('POST', `threads/thread_${dialog}/export`, {});
    const { type, text: now, edited_at, deleted_at } = message!;
    const card = await scene.dialog(`+${customer.phone}`);
    return {
      ...{ type, now, isEdited: edited_at !== null, isDeleted: deleted_at !== null },
      ...{ history: await history(dialog), isKept: text.includes('Прежнее') },
      ...{ last: card.last_message_text, unread: card.unread_count },
    };
  };
  const after = await inOrder((told) => [
    by(told, 'Прежнее', told.original),
    by(told, revision(told.original)),
  ]);
  expect(after).toMatchObject({ type: 'text', isKept: true });
  const before = (told: Order): Parameters<typeof scene.tell> => {
    const change = by(told, 'Прежнее', told.original);
    return [by(told, revision(told.original)), change, change];
  };
  expect(await inOrder(before)).toEqual(after);
});

it.each([
  ['a customer', fromCustomer],
  ['a person', fromPhone],
])('what %s deleted and never comes is not shown, and has no effect', async (_, by) => {
  const { customer, dialog } = await silent('Последнее слово');
  const before = await scene.dialog(`+${customer.phone}`);
  await scene.tell(by({ customer, original: '' }, revoke(wamid())));
  expect(await shown(dialog)).toMatchObject([{ text: 'Последнее слово', deleted_at: null }]);
  expect(await scene.dialog(`+${customer.phone}`)).toEqual(before);
  expect(await history(dialog)).toEqual([]);
});

it('a deletion that missed its message, which was stored at the same moment, is applied', async () => {
  const { customer, original, dialog } = await silent('Прежнее');
  const other = wamid();
  await scene.tell(scene.number.message(customer, revoke(other)));
  await scene.database.pool.query('UPDATE parked_states SET provider_id = $2 WHERE provider_id = $1', [
    other,
    original,
  ]);
  await scene.database.pool.query(
    `UPDATE parked_states SET body = jsonb_set(body, '{originalId}', to_jsonb($1::text)) WHERE provider_id = $1`,
    [original],
  );
  await eventually(async () => (await shown(dialog))[0]?.deleted_at !== null, 10_000, 'it was not applied');
  expect(await shown(dialog)).toMatchObject([{ text: '' }]);
});

it('nobody revises what another wrote', async () => {
  const { customer, original, dialog } = await silent('Слова клиента');
  const ours = wamid();
  await scene.tell(scene.number.echo(customer, 'Слова человека', ours));
  await scene.tell(scene.number.message(customer, revoke(ours)));
  await scene.tell(scene.number.echo(customer, revoke(original)));
  const texts = (await shown(dialog)).map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['Слова клиента', 'Слова человека']));
  await scene.tell(scene.number.echo(customer, edit(ours, 'Исправлено')));
  expect((await shown(dialog)).map(({ text }) => text)).toContain('Исправлено');
  expect(await history(dialog)).toEqual([['message_edited', 'Слова человека', 'Исправлено', 'OPERATOR']]);
});

it.each([
  ['an edit', (original: string) => edit(original, 'Чужое')],
  ['a deletion', revoke],
])(
  '%s by another customer of the number changes nothing, by another dialog of the same one it does',
  async (_, revision) => {
    const { original, dialog } = await silent('Слова клиента');
    const stranger = await silent('Другой');
    const before = await shown(dialog);
    await scene.tell(scene.number.message(stranger.customer, revision(original)));
    expect(await shown(dialog)).toEqual(before);
    expect(await history(dialog)).toEqual([]);
    expect(await shown(stranger.dialog)).toMatchObject([{ text: 'Другой' }]);
    await scene.database.pool.query('UPDATE threads SET same_customer = ARRAY[$2::uuid] WHERE id = $1', [
      dialog,
      stranger.dialog,
    ]);
    await scene.tell(scene.number.message(stranger.customer, revision(original)));
    expect(await shown(dialog)).not.toEqual(before);
  },
);

it('an edit from a number that the customer has given up since is theirs', async () => {
  const { customer, original, dialog } = await silent('Слова клиента');
  const system = { type: 'user_changed_number', body: 'changed', wa_id: newCustomer().phone };
  await scene.tell(scene.number.message(customer, { type: 'system', system }));
  await scene.tell(scene.number.message(customer, edit(original, 'Исправлено')));
  expect(await shown(dialog)).toMatchObject([{ text: 'Исправлено' }]);
});

it.each([
  ['edit', (original: string) => edit(original, 'Два, пожалуйста'), 'Два, пожалуйста'],
  ['deletion', revoke, '[deleted '],
])('a reply in the making begins anew after an %s', async (_, revision, now) => {
  const customer = newCustomer();
  const original = wamid();
  await scene.model.reply({ text: 'К прежнему.', when: customer.phone, hold: 'middle' });
  await scene.tell(scene.number.message(customer, `Один ${customer.phone}`, { id: original }));
  await scene.model.held(customer.phone);
  await scene.model.reply({ text: 'К новому.' });
  await scene.tell(scene.number.message(customer, revision(original)));
  expect(await scene.untilSaid(customer, 1)).toEqual(['К новому.']);
  const [last] = (await scene.model.requests()).toReversed();
  const asked = ((last?.body.messages ?? []) as { role: string; content: string }[]).filter(
    ({ role }) => role === 'user',
  );
  expect(asked.at(-1)?.content).toContain(now);
  expect(JSON.stringify(asked)).not.toContain(`Один ${customer.phone}`);
  const { id } = await scene.dialog(`+${customer.phone}`);
  await scene.untilQuiet(id);
  expect(scene.said(customer)).toHaveLength(1);
});

it('a new reply after one that was not delivered begins anew after an edit, too', async () => {
  const customer = newCustomer();
  const [answered, original] = [wamid(), wamid()];
  await scene.model.reply({ text: 'Да.', when: customer.phone });
  await scene.tell(scene.number.message(customer, `Ноль ${customer.phone}`, { id: answered }));
  await scene.untilSaid(customer, 1);
  await scene.model.reply({ text: 'Не дойдёт.', when: customer.phone });
  await scene.tell(scene.number.message(customer, `Один ${customer.phone}`, { id: original }));
  await scene.untilSaid(customer, 2);
  const { id } = await scene.dialog(`+${customer.phone}`);
  await scene.untilQuiet(id);
  const part = (await scene.messages(id)).at(-1);
  const errors = [{ code: 131026, title: 'Message undeliverable', message: 'Message undeliverable' }];
  await scene.tell(scene.number.status(`wamid.${part?.id}`, 'failed', { errors }));
  await scene.model.reply({ text: 'К прежнему.', when: customer.phone, hold: 'middle' });
  await scene.api.setAi(`thread_${id}`, false);
  expect((await scene.api.setAi(`thread_${id}`, true)).body.data.answered_pending_message).toBe(true);
  await scene.model.held(customer.phone);
  const epoch = async (): Promise<number> => (await scene.dialog(`+${customer.phone}`)).ai_epoch;
  const before = await epoch();
  await scene.tell(scene.number.message(customer, edit(answered, `Ничего ${customer.phone}`)));
  expect(await epoch()).toBe(before);
  await scene.model.reply({ text: 'К новому.' });
  await scene.tell(scene.number.message(customer, edit(original, 'Два, пожалуйста')));
  expect(await epoch()).toBe(before + 1);
  expect((await scene.untilSaid(customer, 3)).at(-1)).toBe('К новому.');
  await scene.untilQuiet(id);
  expect(scene.said(customer)).toHaveLength(3);
});

describe('a customer’s pictures', () => {
  type Part = { type: string; text?: string; image_url?: { url: string } };
  const UNSEEN = 'A picture came\\. You cannot see it: never guess what is on it\\.';

  /** A customer whose name is in the instructions, by which requests are known. */
  const named = () => {
    const customer = newCustomer();
    return { ...customer, name: customer.phone };
  };
  type Talker = ReturnType<typeof named>;

  function picture(customer: Talker, bytes: Buffer, type = 'image', caption?: string) {
    const id = randomUUID();
    scene.both.has(id, bytes, 'image/png');
    return scene.number.message(customer, { type, [type]: { id, mime_type: 'image/png', caption } });
  }

  /** A customer sends what is given, and gets an answer. @returns the last message that the model got, as parts */
  async function send(customer: Talker, ...changes: Parameters<typeof scene.tell>): Promise<Part[]> {
    const before = scene.said(customer).length;
    await scene.tell(...changes);
    await scene.untilSaid(customer, before + 1);
    await scene.untilQuiet((await scene.dialog(`+${customer.phone}`)).id);
    const asked = (await scene.model.requests(customer.phone)).at(-1);
    const messages = (asked?.body.messages ?? []) as { role: string; content: string | Part[] }[];
    return messages
      .filter(({ role }) => role === 'user')
      .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  }

  const shownIn = (parts: Part[]): Promise<sharp.Metadata[]> =>
    Promise.all(
      parts.flatMap(({ image_url: shown }) => {
        if (!shown) return [];
        const [, base64 = ''] = /^data:image\/jpeg;base64,(.+)$/.exec(shown.url) ?? [];
        return [sharp(Buffer.from(base64, 'base64')).metadata()];
      }),
    );

  async function setVision(vision: boolean): Promise<void> {
    const path = `assistants/${scene.account.assistantId}`;
    expect((await scene.admin.admin('PATCH', path, { vision })).status).toBe(200);
  }

  it('are told in words to an agent without vision', async () => {
    const customer = named();
    const parts = await send(customer, picture(customer, await image('png'), 'image', 'Такой есть?'));
    const text = new RegExp(`^\\[image [0-9a-f]{8}\\] ${UNSEEN}\\nТакой есть\\?$`);
    expect(parts).toEqual([{ type: 'text', text: expect.stringMatching(text) as unknown }]);
  });

  describe('to an agent with vision', () => {
    beforeAll(() => setVision(true));
    afterAll(() => setVision(false));

    it('are shown, scaled, with their captions, until they are deleted', async () => {
      const customer = named();
      const large = await image('png', 3_000, 1_500);
      const parts = await send(customer, picture(customer, large, 'image', 'Такой есть?'));
      expect(parts[0]?.text).toMatch(
        /^\[image [0-9a-f]{8}\] A picture came\. It is attached\.\nТакой есть\?$/,
      );
      expect(await shownIn(parts)).toMatchObject([{ format: 'jpeg', width: 1_024, height: 512 }]);
      const [row] = await scene.query<{ provider_id: string }>(
        `SELECT m.provider_id FROM messages m JOIN threads t ON t.id = m.thread_id
          WHERE t.contact = $1 AND m.role = 'USER'`,
        `+${customer.phone}`,
      );
      await scene.tell(scene.number.message(customer, revoke(row?.provider_id ?? '')));
      expect(await shownIn(await send(customer, scene.number.message(customer, 'Забудьте')))).toEqual([]);
    });

    it('are shown by the newest four, stickers too, and told in words of the others and of what cannot be shown', async () => {
      const customer = named();
      const of = (width: number) => image('png', width, 10);
      const parts = await send(
        customer,
        picture(customer, await of(10)),
        picture(customer, await of(20)),
        picture(customer, recorded('photo.heic')),
        picture(customer, HTML),
        picture(customer, await of(30)),
        picture(customer, await of(40)),
        picture(customer, recorded('sticker.webp'), 'sticker'),
      );
      expect((await shownIn(parts)).map(({ width }) => width)).toEqual([20, 30, 40, 512]);
      const words = parts.map(({ text = '' }) => text).join('\n');
      expect(words.match(new RegExp(UNSEEN, 'g'))?.length).toBeGreaterThanOrEqual(2);
      expect(words).toMatch(/\[sticker [0-9a-f]{8}\] A sticker came\. It is attached\./);
    });
  });
});
