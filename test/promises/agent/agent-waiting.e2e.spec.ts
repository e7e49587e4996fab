import type { Answer } from '../../support/clients/api.client';
import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { accept } from '../../support/stand-ins/scripted.provider';

const ANSWERS = 0;
const MUTES = 1;
const FURTHER = 2;
const SAYS = 'Извините за ожидание.';

const scene = setReplyScene({ stages: [{}, { aiEnabled: false }, {}] });

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

  it('but by nothing while a part of its reply is on its way', async () => {
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
});
