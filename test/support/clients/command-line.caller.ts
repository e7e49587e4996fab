import { ApiError } from '@app/client/api.errors';
import { OPERATIONS } from '@app/client/operation-table';
import { openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoFile } from '../../../apps/demo/src/demo-file';
import type { CommandLineProcess } from '../programs/command-line.process';
import { NEW_PASSWORD } from '../operations.catalog';
import type { Caller, DoOperation, Given } from './operation.walk';

interface Enabled {
  recovery_codes: string[];
}

/** What would be typed. Files of a form are written into the folder before. */
async function wordsOf({ params, body }: Given, folder: string): Promise<string[]> {
  const inPath = Object.entries(params?.path ?? {}).map(([name, value]) => `--${name}=${String(value)}`);
  if (!(body instanceof FormData)) return [...inPath, ...(body ? ['--data', JSON.stringify(body)] : [])];
  for (const [name, value] of body) {
    const typed = value instanceof File ? join(folder, value.name) : value;
    if (value instanceof File) writeFileSync(typed, await value.bytes());
    inPath.push(`--${name}`, typed);
  }
  return inPath;
}

/** Does operations by `leadline call`, for each that may call. */
export function byCommandLine(
  commandLine: CommandLineProcess,
  demo: DemoFile,
  key: string,
  folder: string,
): DoOperation {
  const LEADLINE_URL = demo.base_url;
  const person: Record<string, string> = {
    ...{ LEADLINE_EMAIL: demo.admin_user.email, LEADLINE_PASSWORD: demo.admin_user.password },
  };
  const who: Record<Caller, Record<string, string>> = {
    ...{ nobody: {}, key: { LEADLINE_API_KEY: key }, admin: { LEADLINE_ADMIN_KEY: demo.admin_key }, person },
  };

  /** Each command signs in anew, as the one before has left the person. */
  function follow(operation: string, data: unknown): void {
    if (operation === 'changePassword') person.LEADLINE_PASSWORD = NEW_PASSWORD;
    if (operation === 'enableSecondFactor')
      person.LEADLINE_CODE = (data as Enabled).recovery_codes.at(-1) ?? '';
    if (operation === 'disableSecondFactor') delete person.LEADLINE_CODE;
  }

  return async (name, by, answers, given) => {
    const id = OPERATIONS.find(({ method, path }) => name === `${method.toUpperCase()} ${path}`)?.id ?? '';
    const out = join(folder, `${id}.out`);
    const words = ['call', id, '--json', ...(await wordsOf(given, folder))];
    if (answers === 'file') words.push('--out', out);
    const { code, stdout, stderr } = await commandLine.run(words, { LEADLINE_URL, ...who[by] });
    if (code === 1) {
      const { error } = JSON.parse(stderr) as { error: ConstructorParameters<typeof ApiError>[0] };
      throw new ApiError(error);
    }
    if (code !== 0 || stderr !== '') throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
    if (answers === 'file') return openAsBlob(out);
    const data = JSON.parse(stdout) as unknown;
    follow(id, data);
    return data;
  };
}
