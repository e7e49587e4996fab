import { z } from 'zod';

/** Words of templates; six letters of them stand in no secret made at random. */
const TEMPLATE = /change-?me|secret|passw(?:o|0)rd|example|default|leadline|replace|qwerty/;
/** Shorter words, which chance may bring. */
const WELL_KNOWN = /admin|metrics|session|encryption|token|key|test|12345*/g;

/** Whether a secret is one that anybody would try first: of a template, known words alone, a counting, or hardly any variety. */
function isGuessable(secret: string): boolean {
  const text = secret.toLowerCase();
  const isMadeOfWords = text.replace(WELL_KNOWN, '').replace(/[^a-z0-9]/g, '').length < 8;
  return TEMPLATE.test(text) || isMadeOfWords || new Set(text).size < 8 || isCounting(text);
}

/**
 * Whether most characters go on in the step of the one or two before, as in 0123456789abcdef or 00112233.
 * Neighbours alone do not tell: of 32 random hex digits, half are neighbours once in a hundred thousand.
 */
function isCounting(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0));
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const goingOn = steps.filter(
    (step, index) => Math.abs(step) <= 1 && (step === steps[index - 1] || step === steps[index - 2]),
  );
  return goingOn.length > codes.length / 2;
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

const secret = (least: number, remedy: string) =>
  z
    .string()
    .min(least, `is too short: ${remedy}`)
    .refine((value) => !isGuessable(value), `is a well-known or guessable value: ${remedy}`);

const encryptionKey = 'must be 32 bytes as 64 hex digits; make one with: openssl rand -hex 32';

/**
 * Every setting of the environment, with its default; `.env.example` is the manual of the same list.
 * A setting given as an empty string counts as not given.
 */
export const environmentSchema = z.object({
  PORT: integer(0, 65535, 3000),
  HOST: z.string().optional(),
  PUBLIC_URL: httpUrl.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url(
    /^postgres(ql)?$/,
    'must be a PostgreSQL address, such as postgres://user:password@host:5432/leadline',
  ).optional(),
  ROLE: z.enum(['all', 'api', 'worker'], 'must be one of all, api, worker').default('all'),
  CLOUD_API_URL: httpUrl.default('https://graph.facebook.com'),
  CLOUD_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must be a Graph version such as v25.0')
    .default('v25.0'),
  CLOUD_API_APP_SECRET: secret(16, 'copy the app secret of your Meta app').optional(),
  CLOUD_API_VERIFY_TOKEN: secret(16, 'make one with: openssl rand -hex 32').optional(),
  GUPSHUP_API_URL: httpUrl.default('https://api.gupshup.io'),
  GUPSHUP_WEBHOOK_TOKEN: secret(16, 'make one with: openssl rand -hex 32').optional(),
  AI_BASE_URL: httpUrl.optional(),
  AI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs of ASCII, without spaces')
    .optional(),
  AI_MODEL: z.string().optional(),
  AI_REPLY_DELAY_MS: integer(0, 600_000, 8000),
  PROVIDER_TIMEOUT_MS: integer(100, 120_000, 10_000),
  SESSION_SECRET: secret(
    32,
    'give at least 32 random characters; make one with: openssl rand -hex 32',
  ).optional(),
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
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
});

/** Secrets that the providers know too: a demo takes whatever it is given, as somebody's own stand-in may have them. */
const given = z.string().optional();

/** The demo's: nothing of it is reached from outside this machine. */
export const demoEnvironmentSchema = environmentSchema.extend({
  CLOUD_API_APP_SECRET: given,
  CLOUD_API_VERIFY_TOKEN: given,
  GUPSHUP_WEBHOOK_TOKEN: given,
});

export type Environment = z.output<typeof environmentSchema>;

/** Secrets that a server must have; the demo makes its own. */
export const REQUIRED_SECRETS = [
  'CLOUD_API_APP_SECRET',
  'SESSION_SECRET',
  'ENCRYPTION_KEY',
  'METRICS_TOKEN',
  'CLOUD_API_VERIFY_TOKEN',
  'GUPSHUP_WEBHOOK_TOKEN',
] as const;

/** All that must be hard to guess. First the one that somebody else chose, so that of two alike the other is to change. */
export const SECRETS = REQUIRED_SECRETS;
