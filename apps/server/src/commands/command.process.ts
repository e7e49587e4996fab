import { parseArgs, type ParseArgsConfig } from 'node:util';
import { processVariables, requireDatabaseUrl, SettingsError } from '@app/config/settings.config';
import { explainStart } from '../start.explanation';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = ReturnType<typeof parseArgs>['values'];

export interface Command {
  /** How it is called, in a line. */
  usage: string;
  options?: Options;
  /** Whether the options have values that the command can work with. */
  accepts?: (values: Values) => boolean;
  act: (databaseUrl: string, values: Values) => Promise<void>;
}

/** What the command line asks for; undefined: it is no such command. */
function readOptions(options: Options): Values | undefined {
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch {
    return undefined;
  }
}

/**
 * Runs a command of the command line on the database that DATABASE_URL names. What is not understood does nothing; a
 * failure is one line and exit code 1.
 */
export async function runCommand({ usage, options = {}, accepts = () => true, act }: Command): Promise<void> {
  const values = readOptions(options);
  if (values?.help) return console.log(usage);
  if (!values || !accepts(values)) return fail(usage);
  try {
    await act(requireDatabaseUrl(processVariables()), values);
  } catch (error) {
    fail(...(error instanceof SettingsError ? error.faults : [explainStart(error)]));
  }
}

function fail(...lines: readonly string[]): void {
  for (const line of lines) console.error(line);
  process.exitCode = 1;
}
