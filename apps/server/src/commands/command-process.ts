import { parseArgs, type ParseArgsConfig } from 'node:util';
import { processVariables, requireDatabaseUrl, SettingsError } from '@app/config/settings-config';
import { explainStart } from '../start-explanation';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = ReturnType<typeof parseArgs>['values'];

interface Command {
  /** How it is called, in a line. */
  usage: string;
  /** What it does, in a line. */
  purpose: string;
  options?: Options;
  /** Whether the options have values that the command can work with. */
  accepts?: (values: Values) => boolean;
  act: (databaseUrl: string, values: Values) => Promise<void>;
}

/** The options of the command line, or its first unknown word. */
function readOptions(options: Options): { values: Values } | { wrong: string | undefined } {
  const known: Options = { ...options, help: { type: 'boolean', short: 'h' } };
  try {
    return { values: parseArgs({ options: known }).values };
  } catch {
    const { tokens } = parseArgs({ options: known, strict: false, allowPositionals: true, tokens: true });
    const unknown = tokens.flatMap((token) => {
      if (token.kind === 'option') return token.name in known ? [] : [token.rawName];
      return token.kind === 'positional' ? [token.value] : [];
    });
    return { wrong: unknown[0] };
  }
}

/**
 * Runs a command of the command line on the database that DATABASE_URL names. A command line with an unknown word
 * does nothing. A failure is one line and exit code 1.
 */
export async function runCommand(command: Command): Promise<void> {
  const { usage, purpose, options = {}, accepts = () => true, act } = command;
  const read = readOptions(options);
  if ('wrong' in read)
    return fail(read.wrong === undefined ? usage : `"${read.wrong}" is not understood. ${usage}`);
  const { values } = read;
  if (values.help) return console.log(`${usage}\n${purpose}`);
  if (!accepts(values)) return fail(usage);
  try {
    await act(requireDatabaseUrl(processVariables()), values);
  } catch (error) {
    fail(...(error instanceof SettingsError ? error.violations : [explainStart(error)]));
  }
}

function fail(...lines: readonly string[]): void {
  for (const line of lines) console.error(line);
  process.exitCode = 1;
}

const EVERY_MS = 200;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** As people read it: 1.5 MiB. */
export function sizeOf(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

/** A line on a terminal that says how far a command is. Elsewhere, as in a log, nothing. */
export class ProgressLine {
  private shownAt = -Infinity;

  show(text: string): void {
    const isDue = performance.now() - this.shownAt > EVERY_MS;
    if (!process.stderr.isTTY || !isDue) return;
    this.shownAt = performance.now();
    process.stderr.write(`\r\x1b[K${text}`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
