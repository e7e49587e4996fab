import { processVariables, requireDatabaseUrl, SettingsError } from '@app/config/settings.config';
import { explainStart } from '../start.explanation';

/** Runs a command of the command line on the database that DATABASE_URL names; a failure is one line and exit code 1. */
export async function runCommand(act: (databaseUrl: string) => Promise<void>): Promise<void> {
  try {
    await act(requireDatabaseUrl(processVariables()));
  } catch (error) {
    const lines = error instanceof SettingsError ? error.faults : [explainStart(error)];
    for (const line of lines) console.error(line);
    process.exitCode = 1;
  }
}
