import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yargs, { type ArgumentsCamelCase, type Argv } from 'yargs';
import { callVerb } from './call/call-verb';
import { CliEnvironment, DEMO_URL } from './cli-environment';
import { EXIT, InterruptedError, UsageError } from './cli.errors';
import { wordsOfService } from './completion.words';
import { exitCodeOf, reportOf } from './output/error-report';
import { Output } from './output/terminal-output';
import { ServiceCallers } from './service-callers';
import { VERBS } from './verbs/verbs-table';
import { DEMO, type AnyVerb, type Invocation } from './verbs/verb';

const NAME = 'leadline';
const SHELLS = ['bash', 'zsh'];
const COMPLETING = '--get-yargs-completions';
const WIDEST = 110;

const EPILOGUE = `Environment:
  LEADLINE_URL         where the service is; by default ${DEMO_URL}, the demo
  LEADLINE_API_KEY     a key of an account
  LEADLINE_ADMIN_KEY   an admin key
  LEADLINE_EMAIL, LEADLINE_PASSWORD, LEADLINE_CODE
                       a person, for "call" of what only people may do
  NO_COLOR             no colours

Exit codes: 0 done; 1 refused, or no answer; 2 wrong usage, or no key;
130 Ctrl-C before the end (tail, which has none, ends with 0)`;

/** Of the package; the build is four folders below it. */
const version = (): string =>
  (JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as { version: string })
    .version;

/** Listens for Ctrl-C, once, from when it is asked for. */
function interruption(): () => AbortSignal {
  let abort: AbortController | undefined;
  return () => {
    if (abort) return abort.signal;
    const { signal } = (abort = new AbortController());
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => abort?.abort(new InterruptedError('Interrupted')));
    return signal;
  };
}

/** @param acts false: only its words are wanted, as what is typed is not whole yet */
function withVerb(program: Argv, given: AnyVerb, environment: CliEnvironment, acts: boolean): Argv {
  return program.command(
    given.command,
    given.about,
    (builder) => given.arguments(builder),
    async (words: ArgumentsCamelCase) => {
      if (!acts) return;
      const output = new Output(words.json === true, environment);
      const invocation: Invocation = {
        ...{ environment, output, callers: new ServiceCallers(environment) },
        interrupted: interruption(),
      };
      await given.act(words as never, invocation);
    },
  );
}

function programOf(words: readonly string[], environment: CliEnvironment): Argv {
  const isCompleting = words[0] === COMPLETING;
  const typed = isCompleting ? words.slice(2) : words;
  const bare = yargs([...words])
    .scriptName(NAME)
    .usage(
      '$0 <verb>\n\nLeadline from the command line. Keys come from the environment, never from arguments.',
    )
    // Nothing is guessed: a phone is no number, and a name with a dot is one name.
    .parserConfiguration({
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'dot-notation': false,
      'boolean-negation': false,
    })
    .detectLocale(false)
    .exitProcess(false)
    .fail((message: string | null, error?: Error) => {
      // What is being typed is not whole yet.
      if (isCompleting) return;
      // Without words of its own it is a verb that failed.
      if (message === null && error) throw error;
      throw new UsageError(message ?? 'Not understood');
    })
    .strict()
    .option('json', {
      type: 'boolean',
      describe: 'For programs: JSON, or a line of JSON for each event',
      global: true,
    })
    .version(version())
    .help()
    .alias('help', 'h')
    .epilogue(EPILOGUE)
    .wrap(Math.min(WIDEST, process.stdout.columns || WIDEST))
    .recommendCommands()
    .demandCommand(1, 1, 'Which verb? Such as: leadline leads')
    .completion(
      'completion',
      'Print a script that completes what is typed: completion bash, or completion zsh',
      (_current: string, _given: unknown, others: () => void, done: (found: string[]) => void) => {
        void wordsOfService(typed, environment).then((found) => (found === null ? others() : done(found)));
      },
    );
  return [...VERBS, callVerb(typed)].reduce<Argv>(
    (grown, each) => withVerb(grown, each, environment, !isCompleting),
    bare as Argv,
  );
}

const FIRST_STEPS: AnyVerb['examples'] = [
  ['stages', 'the stages of your agent'],
  ['leads --status "В работе"', 'who stands at one of them'],
  [`set-status ${DEMO.thread} оплачено`, 'move a lead'],
  ['tail', 'watch what happens'],
  ['set-status --help', 'more of one verb'],
];

/** Whole lines, to be copied: yargs would break them. */
const examplesOf = (examples: AnyVerb['examples']): string =>
  ['Examples:', ...examples.map(([command, what]) => `  # ${what}\n  ${NAME} ${command}`)].join('\n');

/** `completion zsh` is yargs' own `completion`, for that shell. @throws UsageError: it writes for no other */
function withoutShell(words: readonly string[], environment: CliEnvironment): readonly string[] {
  const [verb, shell, ...others] = words;
  if (verb !== 'completion' || shell === undefined || shell.startsWith('-')) return words;
  if (!SHELLS.includes(shell) || others.length > 0)
    throw new UsageError(`completion ${SHELLS.join(', or completion ')}`);
  environment.useShell(shell);
  return [verb];
}

/** Does what the words say, and gives the exit code. */
export async function run(given: readonly string[]): Promise<number> {
  const environment = new CliEnvironment();
  let words = given;
  try {
    words = withoutShell(given, environment);
    const { help, _: verbs } = await programOf(words, environment).parseAsync();
    if (help === true) {
      const asked = [...VERBS, callVerb(words)].find(({ command }) => command.split(' ')[0] === verbs[0]);
      new Output(false, environment).text(`\n${examplesOf(asked?.examples ?? FIRST_STEPS)}`);
    }
    return EXIT.done;
  } catch (error) {
    let url = '';
    try {
      ({ url } = environment);
    } catch {
      // That it is no address is the error.
    }
    process.stderr.write(reportOf(error, url, words.includes('--json')));
    return exitCodeOf(error);
  }
}
