import { loadSettings, processVariables, SettingsError } from '@app/config/settings.config';
import { runServer } from './server.process';

try {
  void runServer(loadSettings(processVariables()));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exitCode = 1;
}
