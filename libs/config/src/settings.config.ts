import { environmentSchema, REQUIRED_SECRETS, type Environment } from './environment.schema';

export type Role = Environment['ROLE'];

/** What a process of the product is told from outside. */
export interface Settings {
  port: number;
  host: string;
  /** Where people and browsers reach the service, without a trailing slash. */
  publicUrl: string;
  databaseUrl: string;
  role: Role;
  metricsToken: string;
  sessionSecret: string;
  encryptionKey: string;
  rateLimits: { leads: number; general: number };
  logLevel: Environment['LOG_LEVEL'];
}

/** Every fault of the environment at once, one line each: the setting's name and the remedy. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

type Variables = Record<string, string | undefined>;

/**
 * Parses the variables of an environment.
 * @throws SettingsError naming every fault.
 */
export function parseEnvironment(variables: Variables): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new SettingsError([
    ...new Set(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)),
  ]);
}

/**
 * The settings of a server process on a database of its own or the demo's.
 * @throws SettingsError naming every missing, malformed or weak setting.
 */
export function loadSettings(variables: Variables = process.env): Settings {
  const faults: string[] = [];
  let environment: Environment | undefined;
  try {
    environment = parseEnvironment(variables);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    faults.push(...error.faults);
  }
  const required = ['DATABASE_URL', ...REQUIRED_SECRETS] as const;
  for (const name of required) {
    if (!variables[name]) faults.push(`${name} is missing: set it as .env.example shows`);
  }
  if (!environment || faults.length > 0) throw new SettingsError(faults);
  return {
    port: environment.PORT,
    host: environment.HOST ?? '0.0.0.0',
    publicUrl: (environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`).replace(/\/+$/, ''),
    databaseUrl: environment.DATABASE_URL ?? '',
    role: environment.ROLE,
    metricsToken: environment.METRICS_TOKEN ?? '',
    sessionSecret: environment.SESSION_SECRET ?? '',
    encryptionKey: environment.ENCRYPTION_KEY ?? '',
    rateLimits: { leads: environment.RATE_LIMIT_LEADS, general: environment.RATE_LIMIT_GENERAL },
    logLevel: environment.LOG_LEVEL,
  };
}

/** The variables that this process was started with: the only place that reads them. */
export function processVariables(): Variables {
  return process.env;
}
