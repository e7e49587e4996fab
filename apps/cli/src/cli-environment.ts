import { UsageError } from './cli.errors';

/** Where `npm start` serves. */
export const DEMO_URL = 'http://127.0.0.1:3000';

/** What a header can carry; another value would be repeated in an error, and a key must not be. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** What the command line reads of its environment. Keys and passwords come from nowhere else: arguments can be seen. */
export class CliEnvironment {
  constructor(private readonly variables: NodeJS.ProcessEnv = process.env) {}

  /** Without a slash at its end. @throws UsageError */
  get url(): string {
    const given = this.read('LEADLINE_URL') ?? DEMO_URL;
    if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
      throw new UsageError(`LEADLINE_URL must be an http or https address, such as ${DEMO_URL}`);
    const { origin, pathname, username, password } = new URL(given);
    if (username || password) throw new UsageError('LEADLINE_URL must have no name and no password in it');
    return origin + pathname.replace(/\/+$/, '');
  }

  /** @throws UsageError: there is none */
  apiKey(): string {
    return this.key('LEADLINE_API_KEY', 'a key of an account');
  }

  /** @throws UsageError: there is none */
  adminKey(): string {
    return this.key('LEADLINE_ADMIN_KEY', 'an admin key');
  }

  has(name: 'LEADLINE_API_KEY' | 'LEADLINE_ADMIN_KEY' | 'LEADLINE_EMAIL'): boolean {
    return this.read(name) !== undefined;
  }

  /** Who signs in for what only people may do. @throws UsageError: nobody is named */
  person(): { email: string; password: string; code?: string } {
    const [email, password, code] = ['LEADLINE_EMAIL', 'LEADLINE_PASSWORD', 'LEADLINE_CODE'].map((name) =>
      this.read(name),
    );
    if (email === undefined || password === undefined)
      throw new UsageError(
        'Only a person may do this: set LEADLINE_EMAIL and LEADLINE_PASSWORD, with a second factor LEADLINE_CODE too',
      );
    return { email, password, ...(code !== undefined && { code }) };
  }

  /** Whether colours are wanted, where they can be shown: https://no-color.org */
  get mayColor(): boolean {
    return this.read('NO_COLOR') === undefined && this.read('TERM') !== 'dumb';
  }

  /** For which shell a completion is written: by the shell that runs us, unless another is asked for. */
  useShell(shell: string): void {
    this.variables.SHELL = shell;
    delete this.variables.ZSH_NAME;
  }

  private key(name: string, what: string): string {
    const key = this.read(name);
    if (key === undefined) throw new UsageError(`Set ${name} to ${what}`);
    if (!SENDABLE.test(key)) throw new UsageError(`${name} has blanks or letters that no key has`);
    return key;
  }

  /** An empty value counts as not given. */
  private read(name: string): string | undefined {
    return this.variables[name] === '' ? undefined : this.variables[name];
  }
}
