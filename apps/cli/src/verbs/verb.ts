import { demoId } from '@app/contracts/demo-ids';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CliEnvironment } from '../cli-environment';
import type { Output } from '../output/terminal-output';
import type { ServiceCallers } from '../service-callers';

/** What a verb works with. */
export interface Invocation {
  environment: CliEnvironment;
  callers: ServiceCallers;
  output: Output;
  /** From when a verb asks for it, the first Ctrl-C aborts this; before, and by the second, Ctrl-C ends us at once. */
  interrupted: () => AbortSignal;
}

/** One word of the command line. */
export interface Verb<Arguments> {
  /** The word, and what follows it. */
  command: string;
  about: string;
  /** Commands that work as they stand in the demo, and what each does. */
  examples: readonly (readonly [command: string, what: string])[];
  arguments: (yargs: Argv) => Argv<Arguments>;
  act: (given: ArgumentsCamelCase<Arguments>, invocation: Invocation) => Promise<void>;
}

/** A verb among others, whatever it takes. */
export type AnyVerb = Verb<never>;

export const verb = <Arguments>(given: Verb<Arguments>): AnyVerb => given as unknown as AnyVerb;

/** Ids of the demo, by which help and examples speak. */
export const DEMO = {
  assistant: demoId('assistant', 1),
  bot: demoId('bot', 1),
  stage: demoId('status', 2),
  thread: `thread_${demoId('thread', 7)}`,
  batch: demoId('batch', 1),
  import: demoId('import', 1),
} as const;
