import type { ArgumentsCamelCase, Argv } from 'yargs';
import type { CliEnvironment } from '../cli.environment';
import type { Output } from '../output/terminal.output';
import type { ServiceCallers } from '../service.callers';

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
  assistant: '01930000-0000-7000-8002-000000000001',
  bot: '01930000-0000-7000-8003-000000000001',
  stage: '01930000-0000-7000-8004-000000000002',
  thread: 'thread_01930000-0000-7000-8005-000000000007',
} as const;
