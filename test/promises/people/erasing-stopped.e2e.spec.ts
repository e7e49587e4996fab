import { eventually } from '../../support/eventually';
import { stopWithClaim } from '../../support/faults/held.webhooks';
import { findIn, setErasureScene } from '../../support/scenes/erasure.scene';
import { CloudNumber, secondsAgo } from '../../support/stand-ins/cloud.webhooks';

/** A number that nobody has connected. */
const STRANGERS = new CloudNumber('300000000000017');
const [PHONE, FORMER, OTHER] = ['77016780001', '77016780002', '77016780003'];
const USER_ID = 'KZ.99491208655302741918';
const WITHIN_MS = 20_000;

/** The first process takes calls only. */
const scene = setErasureScene({ environment: { ROLE: 'api' } });

it('a process that stood still with a webhook for longer than its lease brings nobody back who was erased meanwhile', async () => {
  const { number, database } = scene;
  const taker = await scene.addServer({ ROLE: 'all' });
  await scene.tell(number.message({ phone: PHONE, userId: USER_ID, name: 'Zhanibek' }, 'STOP'));
  const { id } = await scene.dialog(`+${PHONE}`);
  await scene.addOutgoing(id, { status: 'sent', providerId: 'wamid.ours-before' });
  const timestamp = String(secondsAgo(0));
  await scene.holdBack(
    number.message({ phone: PHONE, userId: USER_ID, name: 'Zhanibek' }, 'of the erased one'),
    number.message({ userId: USER_ID, name: 'Zhanibek' }, 'by the user id'),
    number.echo({ phone: PHONE }, 'written in the app'),
    number.history({ phone: PHONE }, [{ text: 'long ago', at: secondsAgo(86_400) }]),
    number.preference({ phone: PHONE }, 'resume'),
    number.change('smb_app_state_sync', {
      state_sync: [
        { type: 'contact', action: 'add', contact: { full_name: 'Zhanibek', phone_number: PHONE } },
      ],
    }),
    number.message(
      { phone: PHONE },
      { type: 'system', system: { type: 'user_changed_number', wa_id: FORMER } },
    ),
    // Of ours, and of another system with the same number.
    number.status('wamid.ours-before', 'read', { recipient_id: PHONE }),
    number.status('wamid.of-others', 'delivered', { recipient_id: PHONE }),
    // Those cannot be taken in.
    number.change('messages', {
      messages: [{ from: PHONE, timestamp, type: 'text', text: { body: 'no id' } }],
    }),
    STRANGERS.message({ phone: PHONE, name: 'Zhanibek' }, 'of an unknown number'),
    number.message({ phone: OTHER }, 'STOP'),
  );
  await stopWithClaim(database.pool, taker);
  expect((await scene.erase(`thread_${id}`)).status).toBe(200);
  await taker.kill('SIGCONT');
  const isTaken = async () => (await scene.dialogs()).some(({ contact }) => contact === `+${OTHER}`);
  await eventually(isTaken, WITHIN_MS, 'the other customer’s message was not taken in');
  await scene.taken();
  // It ends when it has nothing in its hands any more.
  expect(await taker.stop()).toBe(0);
  const kept = await scene.everything();
  const words = [
    PHONE,
    USER_ID,
    FORMER,
    'Zhanibek',
    'wamid.ours-before',
    'wamid.of-others',
    'of the erased one',
  ];
  expect(words.map((word) => [word, findIn(kept, word)])).toEqual(words.map((word) => [word, []]));
  expect(await scene.messages((await scene.dialog(`+${OTHER}`)).id)).toHaveLength(1);
});
