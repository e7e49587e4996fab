import { MESSAGE_STATUSES, type MessageStatus } from '@app/contracts/message.words';
import type { DialogWriter } from './dialog.writer';

export interface DialogStorm {
  /** What was written so far. */
  readonly written: number;
  stop(): Promise<void>;
}

const OURS = MESSAGE_STATUSES.filter(
  (status): status is MessageStatus => !['received', 'queued', 'sending'].includes(status),
);

/**
 * Writes in dialogs at random, one thing after the other: messages and their states, names, opt-outs, and a few new
 * dialogs, which join the others.
 */
export function startDialogStorm(writer: DialogWriter, threads: string[], opensMost: number): DialogStorm {
  const said: { thread: string; id: string }[] = [];
  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
  let running = true;
  let written = 0;
  let opened = 0;
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      const thread = pick(threads);
      said.push({ thread, id: await writer.say(thread, pick(['USER', 'SYSTEM', 'AI']), `text ${written}`) });
    },
    async () => {
      const message = said.at(-1);
      if (message) await writer.setState(message.thread, message.id, pick(OURS));
    },
    async () => writer.rename(pick(threads), `name ${written}`),
    async () => writer.optOut(pick(threads)),
    async () => {
      if (opened++ < opensMost) threads.push(await writer.open());
    },
  ];
  const work = async (): Promise<void> => {
    while (running) {
      // The database may be away; what it did not take is not there to be shown.
      const failed = await pick(acts)().then(
        () => false,
        () => true,
      );
      if (!failed) written++;
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = work();
  return {
    get written() {
      return written;
    },
    stop: async () => {
      running = false;
      await all;
    },
  };
}
