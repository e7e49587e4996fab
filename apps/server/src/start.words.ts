import { StartError } from '@app/contracts/coded.errors';

/**
 * Arguments of a command that starts a process would have no effect, and no one would notice.
 * @throws StartError when there are any
 */
export function refuseWords(command: string): void {
  if (process.argv.length > 2)
    throw new StartError(
      `${command} takes no words: settings are environment variables, such as PORT=3001 ${command}`,
    );
}
