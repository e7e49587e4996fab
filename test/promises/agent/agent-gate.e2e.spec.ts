import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { ApiClient } from '../../support/clients/api.client';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { injected } from '../../support/faults/injected.faults';
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
  [
    'taken by another AI',
    (_, customer) => scene.tell(scene.number.handover(customer, 'control_taken')),
    'elsewhere',
  ],
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
  it.each<Silencer>(SILENCERS.slice(0, 2))(
    'says no further one where its dialog is %s',
    async (_, silence, why) => {
      const customer = newCustomer();
      const { phone } = customer;
      const parts = [
        'Это предложение достаточно длинное, чтобы стать сообщением само.',
        'Не для чужих ушей.',
      ];
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
    },
  );
});

describe('the automation of an account', () => {
  it('is paused: the reply under way is put off, none begins, and both come once it is resumed', async () => {
    const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
    const pause = async (automation_paused: boolean): Promise<void> => {
      const path = `accounts/${scene.account.id}`;
      expect((await admin.admin('PATCH', path, { automation_paused })).status).toBe(200);
    };
    const [begun, late] = [newCustomer(), newCustomer()];
    await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'end', when: begun.phone });
    const thread = await scene.write(begun, `Мой номер ${begun.phone}`);
    await scene.model.held(begun.phone);
    await pause(true);
    await scene.model.reply({ text: 'Позже.', when: late.phone });
    const other = await scene.write(late, `Мой номер ${late.phone}`);
    const isDue = [{ state: 'due', held: false, parts: 0, attempts: expect.any(Number) }];
    const areDue = async (): Promise<boolean> =>
      [...(await scene.replies(thread)), ...(await scene.replies(other))].every(
        ({ state, held }) => state === 'due' && !held,
      );
    await eventually(areDue, 5_000, 'the replies were not put off');
    // Another account's customer is answered: one that comes later, after as long a quiet time.
    const number = await scene.addNumber(await AccountFixture.create(scene.database.pool));
    const last = newCustomer();
    await scene.tell(number.message(last, 'Вопрос'));
    await scene.untilSaid(last, 1);
    expect([...scene.textsTo(begun), ...scene.textsTo(late)]).toEqual([]);
    expect([await scene.replies(thread), await scene.replies(other)]).toEqual([isDue, isDue]);
    await scene.model.reply({ text: 'Теперь можно.', when: begun.phone });
    await pause(false);
    expect([await scene.untilSaid(begun, 1), await scene.untilSaid(late, 1)]).toEqual([
      ['Теперь можно.'],
      ['Позже.'],
    ]);
    expect([await scene.told(thread), await scene.told(other)]).toEqual([[], []]);
  });
});

describe('the automation of an account that is paused while a reply is at the gate', () => {
  // The watch would stop the reply before or after the gate, and so hide what the gate does.
  const blind = setReplyScene({ environment: injected('blind-watch') });

  /** A reply that its model has written but for the end. */
  const written = async () => {
    const customer = newCustomer();
    await blind.model.reply({ text: 'Не для чужих ушей.', hold: 'end', when: customer.phone });
    const thread = await blind.write(customer, `Мой номер ${customer.phone}`);
    const { n } = await blind.model.held(customer.phone);
    return { customer, thread, goOn: () => blind.model.release(n) };
  };
  const pause = async (automation_paused: boolean): Promise<void> => {
    const admin = new ApiClient(blind.server.url, await addAdminKey(blind.database.pool));
    const answer = await admin.admin('PATCH', `accounts/${blind.account.id}`, { automation_paused });
    expect(answer.status).toBe(200);
  };
  const expectPutOff = async (customer: Customer & { phone: string }, thread: string): Promise<void> => {
    await eventually(
      async () => (await blind.replies(thread)).every(({ held }) => !held),
      8_000,
      'the reply was not put off',
    );
    expect(blind.textsTo(customer)).toEqual([]);
    expect(await blind.replies(thread)).toMatchObject([{ state: 'due', parts: 0 }]);
    await blind.model.reply({ text: 'Теперь можно.', when: customer.phone });
    await pause(false);
    expect(await blind.untilSaid(customer, 1)).toEqual(['Теперь можно.']);
  };

  it('says nothing where the gate comes after the pause', async () => {
    const { customer, thread, goOn } = await written();
    await pause(true);
    await goOn();
    await expectPutOff(customer, thread);
  });

  it('says nothing after the answer where the gate had read before the pause, and waited', async () => {
    const { customer, thread, goOn } = await written();
    const lock = await RowLock.take(blind.database, threadOf(thread));
    await goOn();
    await lock.waiters(1);
    await pause(true);
    await lock.release();
    await expectPutOff(customer, thread);
  });
});
