import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { RowLock } from '../../support/faults/row.lock';
import { accept } from '../../support/stand-ins/scripted.provider';

const scene = setReplyScene({ stages: [{}, { aiEnabled: false }] });
const threadOf = (id: string): string => `thread_${id}`;

type Silencer = [
  string,
  (thread: string, customer: Customer & { phone: string }) => Promise<unknown>,
  string,
];

const SILENCERS: Silencer[] = [
  ['switched off', (id) => scene.api.setAi(threadOf(id), false), 'off'],
  ['taken over', (id) => scene.api.sendText(threadOf(id), 'Это человек.'), 'takeover'],
  [
    'moved to a stage that mutes',
    (id) => scene.api.setStatus({ thread_id: threadOf(id), status_id: scene.stage(1) }),
    'stage',
  ],
  ['opted out', (_, customer) => scene.tell(scene.number.message(customer, 'STOP')), 'opt_out'],
];

/** A reply that its model has written but for the end, in a dialog that is locked. */
const writtenInLockedDialog = async () => {
  const customer = newCustomer();
  const when = customer.phone;
  await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'end', when });
  const thread = await scene.write(customer, `Мой номер ${when}`);
  const { n } = await scene.model.held(when);
  // Who comes first to the dialog's row has it first: the watch sees nothing before the gate does.
  const lock = await RowLock.take(scene.database, threadOf(thread));
  return { customer, thread, lock, goOn: () => scene.model.release(n) };
};

describe('a reply that is written', () => {
  it.each<Silencer>([
    ...SILENCERS,
    [
      'written in by its customer',
      (_, customer) => scene.tell(scene.number.message(customer, 'второе')),
      'newer_message',
    ],
  ])('is not sent where its dialog is %s just before the gate checks', async (_, silence, why) => {
    const { customer, thread, lock, goOn } = await writtenInLockedDialog();
    const silenced = silence(thread, customer);
    await lock.waiters(1);
    await goOn();
    await lock.waiters(2);
    await lock.release();
    await silenced;
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer)).not.toContain('Не для чужих ушей.');
    expect(await scene.told(thread)).toEqual([`reply_discarded ${why}`]);
  });

  it('is not sent where its agent was silenced and may speak again just before the gate checks', async () => {
    const { customer, thread, lock, goOn } = await writtenInLockedDialog();
    await goOn();
    await lock.waiters(1);
    // As moves to a stage that mutes and back leave it: only the epoch tells.
    await lock.setFacts('ai_epoch = ai_epoch + 1, version = version + 2');
    await lock.release();
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer)).toEqual([]);
    expect(await scene.told(thread)).toEqual(['reply_discarded superseded']);
  });
});

describe('a reply of which a part is said', () => {
  it.each<Silencer>(SILENCERS)('says no further one where its dialog is %s', async (_, silence, why) => {
    const customer = newCustomer();
    const { phone } = customer;
    const parts = ['Это предложение достаточно длинное, чтобы стать сообщением само.', 'Не для чужих ушей.'];
    const taken = Promise.withResolvers<void>();
    scene.provider.on(`+${phone}`, async (response, received, n) => {
      await taken.promise;
      return accept(response, received, n);
    });
    await scene.model.reply({ text: parts.join('\n\n'), when: phone });
    const thread = await scene.write(customer, `Мой номер ${phone}`);
    await scene.untilSaid(customer, 1);
    const { ai_epoch: epoch } = await scene.kept.thread(threadOf(thread));
    const silenced = silence(thread, customer);
    await eventually(
      async () => (await scene.kept.thread(threadOf(thread))).ai_epoch > epoch,
      5_000,
      'nothing has silenced the agent',
    );
    taken.resolve();
    await silenced;
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer)).not.toContain(parts[1]);
    expect(await scene.told(thread)).toEqual([`reply_discarded ${why}`]);
  });
});
