import { existsSync } from 'node:fs';
import { StartError } from '@app/contracts/coded.errors';
import { loadSettings, processVariables, SettingsError } from '@app/config/settings-config';
import { runServer } from '../../server/src/server-process';
import { refuseWords } from '../../server/src/start.words';
import { runDemo } from './demo-process';

/** `npm start`: the demo, or only the server where a DATABASE_URL is given. */
async function main(): Promise<void> {
  const variables = processVariables();
  try {
    refuseWords('npm start');
    if (variables.DATABASE_URL) {
      // Not within the call below: naming runServer loads the service (.swcrc). That takes a second, and wrong settings
      // are refused before it.
      const settings = loadSettings(variables);
      await runServer(settings);
    } else {
      if (existsSync('.env'))
        console.log('.env names no DATABASE_URL: this is the demo, with the settings given there.');
      await runDemo(variables);
    }
  } catch (error) {
    if (error instanceof SettingsError) for (const violation of error.violations) console.error(violation);
    else if (error instanceof StartError) console.error(error.message);
    else throw error;
    process.exitCode = 1;
  }
}

void main();
