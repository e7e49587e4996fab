import { createHmac, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, lchownSync, mkdirSync, statSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { StartError } from '@app/contracts/coded.errors';
import { isRoot } from './embedded-postgres/run-user-resolver';
import { writeWhole } from './embedded-postgres/whole-file-writer';

const { R_OK, W_OK, X_OK } = constants;

/** The user who may read what root's demo writes. */
interface FolderOwner {
  uid: number;
  gid: number;
}

/**
 * Makes the folder if it is missing, and checks that this user may use its content.
 * @throws StartError when the folder cannot be used
 */
export function openDataFolder(dataDir: string): void {
  guarded(dataDir, dataDir, () => {
    const made = mkdirSync(dataDir, { recursive: true });
    if (made === undefined || !isRoot()) return;
    // In a user's folder, root makes a folder that belongs to that user, who may want to start the demo too.
    const { uid, gid } = statSync(dirname(made));
    lchownSync(dataDir, uid, gid);
  });
  const needed: [string, number][] = [
    [dataDir, R_OK | W_OK | X_OK],
    [join(dataDir, 'postgres'), R_OK | W_OK | X_OK],
    [join(dataDir, 'demo.env'), R_OK | W_OK],
  ];
  for (const [path, access] of needed) {
    if (existsSync(path)) guarded(dataDir, path, () => accessSync(path, access));
  }
}

/** Files that root wrote into a user's folder get that user as owner. */
export function folderOwner(dataDir: string): FolderOwner | undefined {
  return isRoot() ? statSync(dataDir) : undefined;
}

function guarded(dataDir: string, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StartError(explain(code, dataDir, path));
  }
}

/** Whether a demo has run in the folder. Of any other folder, the advice must not mention the content. */
const isDemoFolder = (dataDir: string): boolean =>
  ['postgres', 'demo.env'].some((name) => existsSync(join(dataDir, name)));

function explain(code: string, dataDir: string, path: string): string {
  if (code === 'EACCES' || code === 'EPERM') {
    if (!existsSync(path))
      return `DATA_DIR ${dataDir} may not be made or entered by this user: choose another.`;
    const remedy = isDemoFolder(dataDir)
      ? `let root give it to this user (chown -R USER ${dataDir}), or choose another DATA_DIR.`
      : 'choose another DATA_DIR.';
    return `${path} may not be read and written by this user: ${remedy}`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `DATA_DIR ${dataDir} is no folder: choose another DATA_DIR.`;
  }
  return `DATA_DIR ${dataDir} cannot be used (${code}): choose another DATA_DIR.`;
}

/** Secrets that the demo generates. `DEMO_SECRET` is the one from which its API keys are derived. */
const SECRETS = [
  'SESSION_SECRET',
  'ENCRYPTION_KEY',
  'METRICS_TOKEN',
  'CLOUD_API_APP_SECRET',
  'CLOUD_API_VERIFY_TOKEN',
  'GUPSHUP_WEBHOOK_TOKEN',
  'DEMO_SECRET',
] as const;

export type DemoSecrets = Record<(typeof SECRETS)[number], string>;

const HEADER =
  '# Made by the demo. A further process joins with these settings and another PORT: npm run start:prod\n';

const fileOf = (dataDir: string): string => join(dataDir, 'demo.env');

/** The demo's secrets: random, generated once, stored in `demo.env`. */
export function loadDemoSecrets(dataDir: string): DemoSecrets {
  const file = fileOf(dataDir);
  const kept: Record<string, string | undefined> = existsSync(file)
    ? parseEnv(readFileSync(file, 'utf8'))
    : {};
  const secrets = SECRETS.map((name) => [name, kept[name] ?? randomBytes(32).toString('hex')] as const);
  return Object.fromEntries(secrets) as DemoSecrets;
}

/**
 * Writes what another process needs to join. Only this user can read it, or the folder's owner when root starts the
 * demo.
 */
export function writeDemoEnvironment(dataDir: string, variables: Record<string, string>): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeWhole(fileOf(dataDir), HEADER + lines.join(''), folderOwner(dataDir));
}

/**
 * A key that stays the same at every start, derived from a secret of this installation: 256 bits with the usual
 * prefix.
 */
export function deriveKey(secrets: DemoSecrets, name: string): string {
  return `ll_${createHmac('sha256', secrets.DEMO_SECRET).update(name).digest('base64url')}`;
}

const PASSWORD_BYTES = 12;

/** A person's first password, made as the keys are: 96 bits in 24 characters that are easily typed. */
export function derivePassword(secrets: DemoSecrets, email: string): string {
  const mac = createHmac('sha256', secrets.DEMO_SECRET).update(`password:${email}`).digest('hex');
  return mac.slice(0, PASSWORD_BYTES * 2);
}
