import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoardClient } from '../../support/clients/board.client';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene({ agentCouldAnswer: true });

/** A thread in which so many messages of ours are stored after the customer's. */
async function answered(count: number): Promise<string> {
  const thread = await scene.account.addThread({ waitingMinutes: 5 });
  await scene.kept.setFacts(thread, `answer_count = ${count}`);
  return thread;
}

interface Listed {
  thread_id: string;
  waiting: boolean;
}

async function listed(thread: string, filter: object): Promise<Listed | undefined> {
  const { body } = await scene.api.getThreads({ limit: 200, ...filter });
  return (body.data.threads as Listed[]).find(({ thread_id }) => thread_id === thread);
}

async function onBoard(thread: string): Promise<boolean | undefined> {
  const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
  try {
    const { columns } = await board.open(scene.account.assistantId);
    return columns.flatMap(({ cards }) => cards).find(({ thread_id }) => thread_id === thread)?.waiting;
  } finally {
    board.close();
  }
}

const flagged = (thread_id: string): object => ({
  thread_id,
  status_id: scene.stage(0),
  answer_pending_message: true,
});

/** Each way in which the API says whether a thread waits. */
const WAYS: Record<string, (thread: string) => Promise<unknown>> = {
  'the card of get-threads': async (thread) => (await listed(thread, {}))?.waiting,
  'the card of the board': onBoard,
  'the filter of get-threads': async (thread) => (await listed(thread, { waiting: true })) !== undefined,
  'the opposite of that filter': async (thread) => (await listed(thread, { waiting: false })) === undefined,
  'a dry run with the flag': async (thread) => {
    const { body } = await scene.api.setStatusBulk({ items: [flagged(thread)], dry_run: true });
    return body.data.results[0].data.answered_pending_message as boolean;
  },
  'the flag of set-status': async (thread) =>
    (await scene.api.setStatus(flagged(thread))).body.data.answered_pending_message as boolean,
  'set-ai': async (thread) => {
    await scene.kept.setFacts(thread, 'ai_enabled = false');
    return (await scene.api.setAi(thread, true)).body.data.answered_pending_message as boolean;
  },
};

it('each way says that a message waits until one of ours is stored after it', async () => {
  for (const [way, says] of Object.entries(WAYS))
    expect([way, await says(await answered(0)), await says(await answered(1))]).toEqual([way, true, false]);
});

it('the rule is written in one place', () => {
  const written = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('migrations/'))
      .filter((name) => readFileSync(join(folder, name), 'utf8').includes('answer_count = 0')),
  );
  expect(written).toEqual(['persistence/src/threads/thread.rules.ts']);
});
