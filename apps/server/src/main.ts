import { StartError } from '@app/contracts/coded.errors';
import { loadSettings, processVariables, SettingsError } from '@app/config/settings-config';
import { runServer } from './server-process';
import { refuseWords } from './start.words';

try {
  refuseWords('npm run start:prod');
  // Not within the call below: naming runServer loads the service (.swcrc). That takes a second, and wrong settings
  // are refused before it.
  const settings = loadSettings(processVariables());
  void runServer(settings);
} catch (error) {
  if (error instanceof SettingsError) for (const violation of error.violations) console.error(violation);
  else if (error instanceof StartError) console.error(error.message);
  else throw error;
  process.exitCode = 1;
}
