import { loadSettings, SettingsError } from '@app/config/settings.config';
import { runServer } from './server.process';

try {
  void runServer(loadSettings());
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exitCode = 1;
}
