import { AccountFixture } from '../../support/database/fixture';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { postGupshup, secondsAgo, type CloudNumber } from '../../support/stand-ins/cloud.webhooks';

const scene = setErasureScene();

let lastPhone = 77016790000;
const somePhone = (): string => String((lastPhone += 1));

/** A customer of this name is there, and erased after something has come. */
async function eraseAfter(name: string, act: () => Promise<unknown>): Promise<void> {
  const phone = somePhone();
  await scene.tell(scene.number.message({ phone, name }, 'STOP'));
  const { id } = await scene.dialog(`+${phone}`);
  await act();
  expect((await scene.erase(`thread_${id}`)).status).toBe(200);
}

/** A message that does not say who wrote it: only a name stands beside it. It cannot be taken in. */
const ofNobody = (name: string, text: string, number = scene.number): ReturnType<CloudNumber['change']> =>
  number.change('messages', {
    contacts: [{ profile: { name } }],
    messages: [{ id: `wamid.${text}`, timestamp: String(secondsAgo(0)), type: 'text', text: { body: text } }],
  });

const rejectsWith = async (text: string): Promise<number> =>
  (await scene.rejects()).filter(({ item }) => item.includes(text)).length;

const keptOf = async (text: string): Promise<string[]> => findIn(await scene.everything(), text);

beforeAll(() => scene.account.connect('waba', { sender: '77270000002' }));

it('what could not be taken in and has only the name beside it goes, with its webhook', async () => {
  await eraseAfter('Жанибек', async () => {
    await scene.tell(ofNobody('Жанибек', 'written by nobody'));
    expect(await rejectsWith('written by nobody')).toBe(1);
  });
  expect(await keptOf('Жанибек')).toEqual([]);
  expect(await keptOf('written by nobody')).toEqual([]);
});

it('what could not be taken in and has only the name in it goes, whichever way the name is written', async () => {
  await eraseAfter('Almagul Bek', async () => {
    const payload = {
      id: 'nobodys',
      type: 'text',
      payload: { text: 'said by nobody' },
      sender: { name: 'ALMAGUL BEK' },
    };
    const body = { app: 'ClinicApp', timestamp: Date.now(), version: 2, type: 'message', payload };
    await postGupshup(scene.server, scene.account.botId, body);
    await scene.taken();
    expect(await rejectsWith('said by nobody')).toBe(1);
  });
  expect(await keptOf('Almagul Bek')).toEqual([]);
  expect(await keptOf('said by nobody')).toEqual([]);
});

it('what others wrote in the same webhook stays, those of the same name too', async () => {
  const [other, namesake] = [somePhone(), somePhone()];
  await eraseAfter('Saltanat', () =>
    scene.tell(
      ofNobody('Saltanat', 'of the erased one'),
      ofNobody('Saltanat Bek', 'of another one'),
      scene.number.message({ phone: other, name: 'Bota' }, 'STOP'),
      // Their address stands beside the name in one of them, in the message in the other.
      scene.number.change('messages', {
        contacts: [{ wa_id: namesake, profile: { name: 'Saltanat' } }],
        messages: [{ timestamp: String(secondsAgo(0)), text: { body: 'of a namesake' } }],
      }),
      scene.number.change('messages', {
        contacts: [{ profile: { name: 'Saltanat' } }],
        messages: [{ from: namesake, timestamp: String(secondsAgo(0)), text: { body: 'of the namesake' } }],
      }),
    ),
  );
  expect(await keptOf('of the erased one')).toEqual([]);
  for (const text of ['of another one', 'of a namesake', 'of the namesake']) {
    expect(await rejectsWith(text)).toBe(1);
    expect(await keptOf(text)).toContain('webhook_deliveries');
  }
  expect(await keptOf(other)).toContain('webhook_deliveries');
});

it('names of two letters take nothing along', async () => {
  await eraseAfter('Al', () => scene.tell(ofNobody('Al', 'of some Al')));
  expect(await rejectsWith('of some Al')).toBe(1);
});

it('what has the name and came by another account’s number stays', async () => {
  const foreign = await AccountFixture.create(scene.database.pool);
  const number = await scene.addNumber(foreign);
  await eraseAfter('Gulnara', () =>
    scene.tell(ofNobody('Gulnara', 'to another account', number), ofNobody('Gulnara', 'to this account')),
  );
  expect(await rejectsWith('to another account')).toBe(1);
  expect(await keptOf('to this account')).toEqual([]);
});

it('they are found behind many that name others', async () => {
  await eraseAfter('Dinara', async () => {
    const others = Array.from({ length: 120 }, (_, n) => ofNobody('Somebody', `of somebody ${n}.`));
    await scene.tell(...others);
    await scene.tell(ofNobody('Dinara', 'behind all others'));
    await scene.tell(...others.map((_, n) => ofNobody('Somebody', `of somebody later ${n}.`)));
    // What is new is looked at once more, in one piece.
    await scene.query(`UPDATE webhook_rejects SET created_at = created_at - interval '1 hour'`);
  });
  expect(await keptOf('behind all others')).toEqual([]);
  expect(await rejectsWith('of somebody 119.')).toBe(1);
  expect(await rejectsWith('of somebody later 0.')).toBe(1);
});
