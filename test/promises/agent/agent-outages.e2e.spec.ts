import { eventually } from '../../support/eventually';
import { OwnCluster } from '../../support/database/own.cluster';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { limits, SHORT_TIMES } from '../../support/programs/test.limits';
import { IS_LONG } from '../../support/long.mode';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';

/** The lease of a reply whose process lost its connection, a sweep, and the reply itself. */
const SETTLED_WITHIN_MS = 20_000;
const PARTS = [1, 2, 3].map((n) => `Часть ${n}: предложение достаточно длинное, чтобы быть сообщением само.`);

let cluster: OwnCluster;
const scene = setReplyScene({
  servers: 2,
  // A reply that is being written keeps its lease while the database is away.
  environment: { ...SHORT_TIMES, ...limits({ 'work.leaseMs': 6_000 }) },
  openDatabase: async () => {
    cluster = await OwnCluster.start();
    return { url: cluster.url, pool: cluster.pool, drop: () => cluster.remove() };
  },
});

interface Dialog {
  phone: string;
  threadId: string;
}

/** A customer to whom the model always says the same, and at which it pauses the first time. */
async function begin(text: string, hold?: 'middle' | 'end'): Promise<Dialog> {
  const customer = newCustomer();
  await scene.model.reply({ text, hold, when: customer.phone }, { text, when: customer.phone, times: null });
  const threadId = await scene.write(customer, `Мой номер ${customer.phone}`);
  if (hold) await scene.model.held(customer.phone);
  return { ...customer, threadId };
}

const release = async ({ phone }: Dialog): Promise<void> =>
  scene.model.release((await scene.model.held(phone)).n);

/** Waits until both processes serve callers again. */
async function untilServed({ threadId }: Dialog): Promise<void> {
  await eventually(
    async () => {
      const answers = await Promise.all([0, 1].map((n) => scene.apiAt(n).getLead(`thread_${threadId}`)));
      return answers.every(({ status }) => status === 200);
    },
    20_000,
    'the service did not come back',
  );
}

/** What may be cut, all of it by the first. */
const FAULTS: Record<string, () => Promise<unknown>> = {
  'a database that is restarted at once, as by kill -9,': async () => {
    await cluster.crash();
    return cluster.comeBack();
  },
  'connections to the database that are all cut': () => cluster.cutAll(),
};

describe.each(Object.entries(FAULTS).slice(0, IS_LONG ? 2 : 1))('%s', (_, strike) => {
  let written: Dialog;
  let writing: Dialog;
  let permitted: Dialog;
  let spoken: Dialog;
  let interrupted: Dialog;

  beforeAll(async () => {
    written = await begin('Готовый ответ.', 'end');
    writing = await begin('Начатый ответ.', 'middle');
    permitted = await begin('Ответ у ворот.', 'end');
    spoken = await begin(PARTS.join('\n\n'));
    await scene.untilSaid(spoken, 1);
    interrupted = await begin(PARTS.join('\n\n'));
    const isKept = async (): Promise<boolean> =>
      (await scene.messages(interrupted.threadId)).some(({ status }) => status === 'sent');
    await eventually(isKept, 5_000, 'the first part was not sent');
    const locks = [
      await RowLock.take(scene.database, `thread_${interrupted.threadId}`),
      await RowLock.take(scene.database, `thread_${permitted.threadId}`),
    ];
    await untilWaiting(cluster.pool, 1);
    await release(permitted);
    await untilWaiting(cluster.pool, 2);
    const struck = strike();
    // Its part comes to the gate while the database is away.
    await release(written);
    await struck;
    await untilServed(spoken);
    for (const lock of locks) await lock.release().catch(() => undefined);
    await release(writing);
  });

  const settled = ({ threadId }: Dialog): Promise<void> => scene.untilQuiet(threadId, SETTLED_WITHIN_MS);

  it.each<[string, () => Dialog, string]>([
    ['is still being written', () => writing, 'Начатый ответ.'],
    ['waits at the gate', () => permitted, 'Ответ у ворот.'],
  ])('have a reply that %s said once', async (_name, dialog, text) => {
    await settled(dialog());
    expect(scene.textsTo(dialog())).toEqual([text]);
    expect(await scene.replies(dialog().threadId)).toMatchObject([{ state: 'answered', parts: 1 }]);
    expect(await scene.told(dialog().threadId)).toEqual([]);
  });

  it('have a reply that comes to the gate meanwhile said once, or an operator asked for', async () => {
    await settled(written);
    // Where only the gate's answer was lost, its permit is not used.
    expect([
      [['Готовый ответ.'], []],
      [[], ['attention unknown']],
    ]).toContainEqual([scene.textsTo(written), await scene.told(written.threadId)]);
    expect(await scene.replies(written.threadId)).toMatchObject([{ state: 'answered', parts: 1 }]);
  });

  it('have of a reply in parts nothing said twice, and the whole of it, or an operator asked for', async () => {
    await settled(spoken);
    const said = scene.textsTo(spoken);
    expect(said).toEqual(PARTS.slice(0, said.length));
    expect(said.length < PARTS.length).toBe((await scene.told(spoken.threadId)).length > 0);
    expect(await scene.model.requests(spoken.phone)).toHaveLength(1);
  });

  it('have of a reply that is broken off at the gate between two parts nothing said twice, and an operator asked for', async () => {
    await settled(interrupted);
    expect(scene.textsTo(interrupted)).toEqual(PARTS.slice(0, 1));
    expect(await scene.told(interrupted.threadId)).toEqual(['attention unknown']);
    expect(await scene.model.requests(interrupted.phone)).toHaveLength(1);
  });

  it('leave no part on its way', async () => {
    await eventually(
      async () =>
        (await cluster.pool.query(`SELECT 1 FROM messages WHERE status = 'sending'`)).rowCount === 0,
      SETTLED_WITHIN_MS,
      'a part is still on its way',
    );
  });

  it('leave no process behind that does not answer the next customer', async () => {
    const next = await begin('Я здесь.');
    expect(await scene.untilSaid(next, 1)).toEqual(['Я здесь.']);
    for (const server of scene.servers) expect(server.output()).not.toMatch(/unhandled|our own fault/i);
  });
});
