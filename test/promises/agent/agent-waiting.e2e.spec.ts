import type { Answer } from '../../support/clients/api.client';
import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { accept } from '../../support/stand-ins/scripted.provider';

const ANSWERS = 0;
const MUTES = 1;
const FURTHER = 2;
const SAYS = 'Извините за ожидание.';

const scene = setReplyScene({ servers: 2, stages: [{}, { aiEnabled: false }, {}] });

type Person = Customer & { phone: string };

interface Waiting {
  customer: Person;
  id: string;
}

const took = ({ status, body }: Answer): boolean => {
  expect(status).toBe(200);
  return body.data.answered_pending_message as boolean;
};

/** A dialog in which the customer's message waits, at the stage that mutes. */
async function waiting(): Promise<Waiting> {
  const customer = newCustomer();
  const id = await scene.account.addThread({ phone: `+${customer.phone}`, statusId: scene.stage(MUTES) });
  await scene.model.reply({ text: SAYS, when: customer.phone });
  await scene.write(customer, `Вы тут? ${customer.phone}`);
  return { customer, id };
}

const body = ({ id }: Waiting, rest: object = {}): object => ({
  thread_id: id,
  status_id: scene.stage(ANSWERS),
  answer_pending_message: true,
  ...rest,
});

/** What the bulk operation foresees, which must be what the move then answers. */
async function previewed(request: object): Promise<boolean> {
  const answer = await scene.api.setStatusBulk({ items: [request], dry_run: true });
  return answer.body.data.results[0].data.answered_pending_message as boolean;
}

async function move(dialog: Waiting, rest: object = {}): Promise<boolean> {
  const request = body(dialog, rest);
  const expected = await previewed(request);
  const answer = took(await scene.api.setStatus(request));
  expect(expected).toBe(answer);
  return answer;
}

const setAi = async ({ id }: Waiting, on: boolean): Promise<boolean> => took(await scene.api.setAi(id, on));

async function expectReply({ customer, id }: Waiting): Promise<void> {
  await scene.untilSaid(customer, 1);
  await scene.untilQuiet(id.replace('thread_', ''));
  expect(scene.textsTo(customer)).toEqual([SAYS]);
}

/** Somebody who wrote later is answered: what was to be said to the first would have been by now. */
async function expectSilence({ customer, id }: Waiting): Promise<void> {
  const other = newCustomer();
  await scene.write(other, 'Вопрос');
  await scene.untilSaid(other, 1);
  await scene.untilQuiet(id.replace('thread_', ''));
  expect(scene.said(customer)).toEqual([]);
}

/** As if the stage where the message came let the agent answer. */
const atAnswering = ({ id }: Waiting): Promise<void> =>
  scene.kept.setFacts(id, `status_id = '${scene.stage(ANSWERS)}'`);

const older = ({ id }: Waiting): Promise<void> =>
  scene.kept.setFacts(id, `waiting_at = clock_timestamp() - interval '24 hours 1 s'`);

describe('a waiting message is answered', () => {
  it('when the lead is moved with the flag to a stage that lets the agent answer', async () => {
    const dialog = await waiting();
    expect(await move(dialog)).toBe(true);
    await expectReply(dialog);
  });

  it('when the agent is switched on', async () => {
    const dialog = await waiting();
    await setAi(dialog, false);
    expect(await move(dialog, { answer_pending_message: false })).toBe(false);
    expect(await setAi(dialog, true)).toBe(true);
    await expectReply(dialog);
  });

  it('when the lead is in the stage already, once for two calls', async () => {
    const dialog = await waiting();
    await atAnswering(dialog);
    expect([await move(dialog), await move(dialog)]).toEqual([true, false]);
    await expectReply(dialog);
    expect(await move(dialog)).toBe(false);
  });

  it('once for twenty moves at once over two processes', async () => {
    const dialog = await waiting();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => scene.apiAt(n).setStatus(body(dialog))),
    );
    expect(answers.filter(took)).toHaveLength(1);
    await expectReply(dialog);
  });

  it('when it is a minute short of a day old', async () => {
    const dialog = await waiting();
    await scene.kept.setFacts(dialog.id, `waiting_at = clock_timestamp() - interval '23 hours 59 minutes'`);
    expect(await move(dialog)).toBe(true);
    await expectReply(dialog);
  });

  it('after its reply was discarded, before any part was said, by another move', async () => {
    const dialog = await waiting();
    await scene.model.clear();
    const { phone } = dialog.customer;
    await scene.model.reply({ text: 'Устарело.', hold: 'middle', when: phone }, { text: SAYS, when: phone });
    expect(await move(dialog)).toBe(true);
    const held = await scene.model.held(phone);
    expect(await move(dialog, { status_id: scene.stage(MUTES) })).toBe(false);
    expect((await scene.model.ended(held.n)).end).toBe('client closed');
    expect(await move(dialog, { status_id: scene.stage(FURTHER) })).toBe(true);
    await expectReply(dialog);
  });

  it('when the agent is switched off and on again before its reply was due', async () => {
    const customer = newCustomer();
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = 60000');
    await scene.model.reply({ text: SAYS, when: customer.phone });
    const thread = await scene.write(customer, `Вы тут? ${customer.phone}`);
    await scene.database.pool.query('UPDATE assistants SET reply_delay_ms = NULL');
    const dialog = { customer, id: `thread_${thread}` };
    expect(await setAi(dialog, false)).toBe(false);
    expect(await setAi(dialog, true)).toBe(true);
    await expectReply(dialog);
  });

  it('after the model failed for good: by the next call with the flag, and not by one while that is under way', async () => {
    const dialog = await waiting();
    await scene.model.clear();
    const { phone } = dialog.customer;
    await scene.model.reply({ status: 401, when: phone }, { text: SAYS, hold: 'start', when: phone });
    expect(await move(dialog)).toBe(true);
    const thread = dialog.id.replace('thread_', '');
    await eventually(async () => (await scene.told(thread)).length > 0, 10_000, 'nobody was asked for');
    await scene.untilQuiet(thread);
    expect(await move(dialog)).toBe(true);
    const held = await scene.model.held(phone);
    expect(await move(dialog)).toBe(false);
    await scene.model.release(held.n);
    await expectReply(dialog);
    expect(await move(dialog)).toBe(false);
  });
});

describe('a waiting message is not answered', () => {
  const answersAt = (dialog: Waiting): Promise<boolean> => move(dialog);

  it.each<[string, (dialog: Waiting) => Promise<unknown>, (dialog: Waiting) => Promise<boolean>]>([
    ['a move without the flag', async () => undefined, (d) => move(d, { answer_pending_message: false })],
    [
      'a move to a stage that mutes',
      async () => undefined,
      (d) => move(d, { status_id: scene.stage(MUTES) }),
    ],
    ['a stage that is cleared', async () => undefined, (d) => move(d, { status_id: null })],
    ['a move when it is older than a day', older, answersAt],
    ['a move while the agent is off', (d) => setAi(d, false), answersAt],
    [
      'a move in a takeover',
      (d) => scene.kept.setFacts(d.id, `takeover_until = clock_timestamp() + interval '5 minutes'`),
      answersAt,
    ],
    [
      'a move after the customer opted out',
      (d) => scene.tell(scene.number.message(d.customer, 'STOP')),
      answersAt,
    ],
    ['set-ai true on a stage that mutes', (d) => setAi(d, false), (d) => setAi(d, true)],
    ['set-ai true that changes nothing', atAnswering, (d) => setAi(d, true)],
    ['set-ai false', atAnswering, (d) => setAi(d, false)],
    [
      'set-ai true when it is older than a day',
      async (d) => {
        await atAnswering(d);
        await setAi(d, false);
        await older(d);
      },
      (d) => setAi(d, true),
    ],
  ])('by %s', async (_, given, act) => {
    const dialog = await waiting();
    await given(dialog);
    const before = await scene.kept.thread(dialog.id);
    expect(await act(dialog)).toBe(false);
    await expectSilence(dialog);
    const { takeover } = await scene.kept.thread(dialog.id);
    expect(takeover).toBe(before.takeover);
  });

  it('by anything once a person has answered it', async () => {
    const dialog = await waiting();
    await scene.api.sendText(dialog.id, 'Это человек.');
    expect(await setAi(dialog, true)).toBe(false);
    expect(await move(dialog)).toBe(false);
    const other = newCustomer();
    await scene.write(other, 'Вопрос');
    await scene.untilSaid(other, 1);
    expect(scene.textsTo(dialog.customer)).toEqual(['Это человек.']);
  });

  it('by anything while a part of its reply is on its way', async () => {
    const dialog = await waiting();
    const { phone } = dialog.customer;
    await scene.model.reply({ text: 'Ещё раз.', when: phone });
    const answered = Promise.withResolvers<void>();
    scene.provider.on(`+${phone}`, async (response, received, n) => {
      await answered.promise;
      return accept(response, received, n);
    });
    expect(await move(dialog)).toBe(true);
    await scene.untilSaid(dialog.customer, 1);
    await setAi(dialog, false);
    // Each of them raises the epoch, so that the reply is of a former one.
    expect(await setAi(dialog, true)).toBe(false);
    expect(await move(dialog, { status_id: scene.stage(FURTHER) })).toBe(false);
    answered.resolve();
    await expectReply(dialog);
  });

  it('by set-ai true after the customer opted out, which is refused', async () => {
    const dialog = await waiting();
    await scene.tell(scene.number.message(dialog.customer, 'STOP'));
    const { status, body: refused } = await scene.api.setAi(dialog.id, true);
    expect([status, refused.error.code]).toEqual([422, 'THREAD_OPTED_OUT']);
    await expectSilence(dialog);
  });
});
