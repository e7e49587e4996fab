import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * Words that templates, examples and hasty people put into a secret. Of two that begin alike, the longer comes first.
 */
const WELL_KNOWN =
  /abcdefghijklmnopqrstuvwxyz|zyxwvutsrqponmlk|00112233445566778899|123456789|abcdef|qwertyuiop|qwerty|asdfgh|change-?me|passw(?:o|0)rd|secret|example|default|leadline|replace|admin|metrics|session|encryption|token|key|test/g;
const OTHER_CHARACTERS_LEAST = 8;

/** Whether little is left of a secret without its well-known words. Its length is checked before. */
function isGuessable(secret: string): boolean {
  const rest = secret.toLowerCase().replace(WELL_KNOWN, '');
  return new Set(rest).size < OTHER_CHARACTERS_LEAST;
}

const integer = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
    .default(fallback);

const url = (protocols: RegExp, remedy: string) => z.url({ protocol: protocols, error: remedy });
const httpUrl = url(/^https?$/, 'must be an http or https address, such as https://leadline.example.com');

const modelKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs of ASCII, without spaces');

const secret = (least: number, remedy: string) =>
  z
    .string()
    .min(least, `is too short: ${remedy}`)
    .refine((value) => !isGuessable(value), `is a well-known or guessable value: ${remedy}`);

const encryptionKey = 'must be 32 bytes as 64 hex digits; make one with: openssl rand -hex 32';

const PROXIES = 'must be IP addresses or networks, such as 10.0.0.0/8, with commas between them';

/** The items of a list with commas. */
export const itemsOf = (list: string): string[] =>
  list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const appSecret = secret(16, 'copy the app secret of your Meta app');

/** What is wrong with the app secret of one app; null: nothing. */
export const faultOfAppSecret = (value: string): string | null =>
  appSecret.safeParse(value).error?.issues[0]?.message ?? null;

/** One secret, or several with commas between them. */
const secrets = (one: typeof appSecret) =>
  z.string().superRefine((list, context) => {
    const items = itemsOf(list);
    for (const item of items.length > 0 ? items : [''])
      for (const { message } of one.safeParse(item).error?.issues ?? [])
        context.addIssue({ code: 'custom', message });
  });

/** The names of OpenTelemetry's samplers. */
const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** Headers as OpenTelemetry writes them: `name=value,name=value`, values percent-encoded; null: they are not. */
export function headersOf(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const item of itemsOf(list)) {
    const [, name, encoded] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(item) ?? [];
    const value = encoded === undefined ? undefined : decoded(encoded);
    if (name === undefined || value === undefined || !/^[\x20-\x7e]*$/.test(value)) return null;
    headers[name] = value;
  }
  return headers;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** What JSON says; undefined: it is none, or no object. */
function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Object.prototype.toString.call(value) === '[object Object]'
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/**
 * Every setting of the environment, with its default. `.env.example` lists the same settings. An empty string counts
 * as not given.
 */
export const environmentSchema = z.object({
  PORT: integer(0, 65535, 3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: httpUrl.optional(),
  ALLOW_HTTP: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  DATA_DIR: z.string().default('.data'),
  MEDIA_DIR: z.string().optional(),
  MEDIA_S3_ENDPOINT: httpUrl.optional(),
  MEDIA_S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 of a-z, 0-9, dot and hyphen',
    )
    .optional(),
  MEDIA_S3_REGION: z.string().default('us-east-1'),
  MEDIA_S3_ACCESS_KEY: z.string().optional(),
  MEDIA_S3_SECRET_KEY: z.string().optional(),
  DATABASE_URL: url(
    /^postgres(ql)?$/,
    'must be a PostgreSQL address, such as postgres://user:password@host:5432/leadline',
  ).optional(),
  ROLE: z.enum(['all', 'api', 'worker'], 'must be one of all, api, worker').default('all'),
  CLOUD_API_URL: httpUrl.default('https://graph.facebook.com'),
  CLOUD_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must be a Graph version such as v26.0')
    .default('v26.0'),
  CLOUD_API_APP_SECRET: secrets(appSecret).optional(),
  CLOUD_API_VERIFY_TOKEN: secret(16, 'make one with: openssl rand -hex 32').optional(),
  GUPSHUP_API_URL: httpUrl.default('https://api.gupshup.io'),
  GUPSHUP_WEBHOOK_TOKEN: secret(16, 'make one with: openssl rand -hex 32').optional(),
  AI_BASE_URL: httpUrl.optional(),
  AI_API_KEY: modelKey.optional(),
  AI_MODEL: z.string().optional(),
  AI_REPLY_DELAY_MS: integer(0, 600_000, 8000),
  AI_FIRST_BYTE_MS: integer(1, 600_000, 30_000),
  AI_REPLIES_PER_ACCOUNT: integer(1, 1000, 200),
  AI_TRANSCRIPTION_MODEL: z.string().optional(),
  AI_TRANSCRIPTION_URL: httpUrl.optional(),
  AI_TRANSCRIPTION_KEY: modelKey.optional(),
  AI_TRANSCRIPTION_WAIT_MS: integer(0, 600_000, 30_000),
  PROVIDER_TIMEOUT_MS: integer(100, 120_000, 10_000),
  STOP_NOTICE_MS: integer(0, 60_000, 0),
  SESSION_SECRET: secret(
    32,
    'give at least 32 random characters; make one with: openssl rand -hex 32',
  ).optional(),
  TRUSTED_PROXIES: z
    .string()
    .refine((list) => itemsOf(list).every(isNetwork), PROXIES)
    .optional(),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, encryptionKey)
    .refine((value) => !isGuessable(value), `is a well-known or guessable value: ${encryptionKey}`)
    .optional(),
  METRICS_TOKEN: secret(
    16,
    'give at least 16 random characters; make one with: openssl rand -hex 32',
  ).optional(),
  RATE_LIMIT_LEADS: integer(1, 1_000_000, 60),
  RATE_LIMIT_GENERAL: integer(1, 1_000_000, 30),
  ACCOUNT_KEYS_MAX: integer(1, 1_000_000, 200),
  ACCOUNT_PEOPLE_MAX: integer(1, 1_000_000, 1000),
  ACCOUNT_AGENTS_MAX: integer(1, 1_000_000, 100),
  AGENT_STAGES_MAX: integer(1, 1000, 100),
  ACCOUNT_BOTS_MAX: integer(1, 1_000_000, 50),
  NUMBER_TEMPLATES_MAX: integer(1, 1_000_000, 500),
  PROCESS_LIMITS: z
    .string()
    .refine(
      (text) => objectOf(text) !== undefined,
      'must be a JSON object of limits, such as {"work.leaseMs":5000}',
    )
    .transform((text) => objectOf(text) ?? {})
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine(
      (list) => headersOf(list) !== null,
      'must be name=value, with commas between them and percent signs in values',
    )
    .optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer(100, 60_000, 10_000),
  OTEL_SERVICE_NAME: z.string().max(100, 'must have at most 100 characters').default('leadline'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a share from 0 to 1, such as 0.1')
    .transform(Number)
    .default(1),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
});

/**
 * Secrets that the providers know too. A demo takes any value, because a stand-in for a provider may have a weak one.
 */
const given = z.string().optional();

/** The demo's secrets. Nothing of the demo can be reached from outside this machine. */
export const demoEnvironmentSchema = environmentSchema.extend({
  CLOUD_API_APP_SECRET: given,
  CLOUD_API_VERIFY_TOKEN: given,
  GUPSHUP_WEBHOOK_TOKEN: given,
});

export type Environment = z.output<typeof environmentSchema>;

/** Secrets that a server must have. The demo generates its own. */
export const REQUIRED_SECRETS = [
  'CLOUD_API_APP_SECRET',
  'SESSION_SECRET',
  'ENCRYPTION_KEY',
  'METRICS_TOKEN',
  'CLOUD_API_VERIFY_TOKEN',
  'GUPSHUP_WEBHOOK_TOKEN',
] as const;

/**
 * All secrets that must be hard to guess. Those that somebody else chose come first, so that of two equal ones the
 * other must change.
 */
export const SECRETS = REQUIRED_SECRETS;
