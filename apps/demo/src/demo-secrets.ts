import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { folderOwner } from './data-folder';
import { writeWhole } from './embedded-postgres/whole-file-writer';

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
