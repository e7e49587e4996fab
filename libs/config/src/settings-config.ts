import { join } from 'node:path';
import {
  demoEnvironmentSchema,
  environmentSchema,
  headersOf,
  itemsOf,
  REQUIRED_SECRETS,
  SECRETS,
  type Environment,
} from './environment-schema';

type Role = Environment['ROLE'];

export interface MessengerSettings {
  cloud: {
    apiUrl: string;
    apiVersion: string;
    /** Of the apps at Meta whose webhooks come here. */
    appSecrets: readonly string[];
    verifyToken: string;
  };
  gupshup: { apiUrl: string; webhookToken: string };
  /** Longest wait for a provider's answer, in milliseconds. */
  timeoutMs: number;
}

/** The model behind the agent. */
export interface ModelSettings {
  /** An OpenAI-compatible endpoint, with /v1 and without a trailing slash; null: there is no model. */
  baseUrl: string | null;
  /** Null: the endpoint asks for no key. */
  apiKey: string | null;
  /** The model that answers for assistants that name none. */
  name: string | null;
  /** How long a customer must be quiet before the agent answers, in milliseconds. */
  replyDelayMs: number;
  /** Longest wait for the first byte of the model's answer, in milliseconds. */
  firstByteMs: number;
  /** How many replies of one account may be under way at once, on all processes together. */
  repliesPerAccount: number;
}

/** The model that writes down what customers say in voice notes. */
export interface TranscriptionSettings {
  /** An OpenAI-compatible endpoint, with /v1 and without a trailing slash. */
  baseUrl: string;
  /** Null: the endpoint asks for no key. */
  apiKey: string | null;
  name: string;
}

/** Where files of messages are kept. */
export interface MediaSettings {
  /** A folder of this machine; with a bucket, only for files that are on their way there. */
  folder: string;
  /** Null: files are kept in the folder. */
  s3: S3Settings | null;
}

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  /** Without a trailing slash. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
}

/** Where traces go. */
export interface TracingSettings {
  /** Of the collector, for spans by OTLP over HTTP. */
  url: string;
  headers: Record<string, string>;
  /** Longest wait for the collector, in milliseconds. */
  timeoutMs: number;
  serviceName: string;
  /** `ratio`: the share of traces that is recorded, where the sampler goes by it. */
  sampler: { name: Environment['OTEL_TRACES_SAMPLER']; ratio: number };
}

/** The settings that a process reads from its environment. */
export interface Settings {
  port: number;
  host: string;
  /** Where people and browsers reach the service, without a trailing slash. */
  publicUrl: string;
  /** Where providers reach the service, without a trailing slash; null: no public address is set. */
  providersUrl: string | null;
  databaseUrl: string;
  role: Role;
  /** How long a process that is told to stop still serves, in milliseconds: balancers learn of it meanwhile. */
  stopNoticeMs: number;
  metricsToken: string;
  sessionSecret: string;
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  encryptionKey: string;
  /** The providers that carry messages. */
  messengers: MessengerSettings;
  model: ModelSettings;
  /** Null: nothing is transcribed. */
  transcription: TranscriptionSettings | null;
  /** How long a reply waits for files of its customer, and for what is said in them, in milliseconds. */
  transcriptionWaitMs: number;
  media: MediaSettings;
  rateLimits: { leads: number; general: number };
  /** How many of each an account, an agent and a number may have. */
  caps: {
    keys: number;
    people: number;
    assistants: number;
    stages: number;
    bots: number;
    templates: number;
  };
  /**
   * Whether agents' tools may call this machine, and without TLS. Only the demo allows it, because its stand-ins run
   * on this machine.
   */
  toolsReachThisMachine: boolean;
  /** Null: nothing is traced. */
  tracing: TracingSettings | null;
  /** Whether `/design` shows the page's parts, to those who make it. */
  showsDesign: boolean;
  logLevel: Environment['LOG_LEVEL'];
}

/** All errors of the environment at once, one line each: the setting's name and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly violations: readonly string[]) {
    super(violations.join('\n'));
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const missing = (name: string): string => `${name} is missing: set it as .env.example shows`;

/** Without a default. These and `MEDIA_S3_ENDPOINT` need each other. */
const OF_S3 = ['MEDIA_S3_BUCKET', 'MEDIA_S3_ACCESS_KEY', 'MEDIA_S3_SECRET_KEY'] as const;

function s3Of(environment: Environment): S3Settings | null {
  const { MEDIA_S3_ENDPOINT: endpoint, MEDIA_S3_REGION: region } = environment;
  if (endpoint === undefined) return null;
  return {
    endpoint: withoutSlash(endpoint),
    bucket: environment.MEDIA_S3_BUCKET ?? '',
    region,
    accessKey: environment.MEDIA_S3_ACCESS_KEY ?? '',
    secretKey: environment.MEDIA_S3_SECRET_KEY ?? '',
  };
}

function tracingOf(environment: Environment): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: name } = environment;
  if (endpoint === undefined) return null;
  return {
    url: `${withoutSlash(endpoint)}/v1/traces`,
    headers: headersOf(environment.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    timeoutMs: environment.OTEL_EXPORTER_OTLP_TIMEOUT,
    serviceName: environment.OTEL_SERVICE_NAME,
    sampler: { name, ratio: environment.OTEL_TRACES_SAMPLER_ARG },
  };
}

/** Another endpoint never gets the key of the agents' model. */
function transcriptionOf(environment: Environment): TranscriptionSettings | null {
  const { AI_TRANSCRIPTION_MODEL: name, AI_TRANSCRIPTION_URL: own, AI_BASE_URL: shared } = environment;
  const baseUrl = own ?? shared;
  if (name === undefined || baseUrl === undefined) return null;
  const key = environment.AI_TRANSCRIPTION_KEY ?? (own === undefined ? environment.AI_API_KEY : undefined);
  return { baseUrl: withoutSlash(baseUrl), apiKey: key ?? null, name };
}

const mediaOf = (environment: Environment): MediaSettings => ({
  folder: environment.MEDIA_DIR ?? join(environment.DATA_DIR, 'media'),
  s3: s3Of(environment),
});

type Variables = Record<string, string | undefined>;

/** This machine by name or address, as browsers treat it: what goes there crosses no network. */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Without TLS passwords, sessions and customers' words are on the network for all to read. */
function withoutTls({ PUBLIC_URL: given, ALLOW_HTTP: allowed }: Variables): string[] {
  if (allowed === '1') return [];
  const url = given ? URL.parse(given) : null;
  if (given && (url?.protocol !== 'http:' || LOOPBACK.test(url.hostname))) return [];
  const fault = given ? 'is not https' : 'is missing';
  return [
    `PUBLIC_URL ${fault}: give the https address of the service, or say by ALLOW_HTTP=1 that nothing is encrypted`,
  ];
}

/**
 * A secret that several programs know must open one thing only. The scraper, for example, knows the secret of
 * /metrics.
 */
function repeatedSecrets(variables: Variables): string[] {
  const holders = new Map<string, string>();
  return SECRETS.flatMap((name) => {
    const value = variables[name]?.toLowerCase();
    if (!value) return [];
    const holder = holders.get(value);
    if (holder === undefined) holders.set(value, name);
    return holder === undefined
      ? []
      : [`${name} has the same value as ${holder}: make another one with: openssl rand -hex 32`];
  });
}

/**
 * Parses the variables of an environment.
 * @param isDemo whether the secrets shared with providers may be weak
 * @throws SettingsError naming every error.
 */
export function parseEnvironment(variables: Variables, isDemo = false): Environment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = (isDemo ? demoEnvironmentSchema : environmentSchema).safeParse(given);
  if (parsed.success) return parsed.data;
  // One line for each setting. A value that is too short is often guessable too, and the first line is enough.
  const firsts = new Map<PropertyKey | undefined, string>();
  for (const { path, message } of parsed.error.issues) {
    if (!firsts.has(path[0])) firsts.set(path[0], `${String(path[0])} ${message}`);
  }
  throw new SettingsError([...firsts.values()]);
}

/** A further process of a demo, by its `demo.env`: it allows what the demo does. */
const joinsDemo = ({ DEMO_SECRET: secret }: Variables): boolean => secret !== undefined && secret !== '';

/**
 * The settings of a server process.
 * @param isDemo whether secrets shared with providers may be weak or equal, and tools may call this machine
 * @throws SettingsError naming every setting that is missing, malformed, weak or repeated.
 */
export function loadSettings(variables: Variables, isDemo = false): Settings {
  const violations: string[] = [];
  let environment: Environment | undefined;
  try {
    environment = parseEnvironment(variables, isDemo);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    violations.push(...error.violations);
  }
  const required = ['DATABASE_URL', ...REQUIRED_SECRETS] as const;
  for (const name of required) {
    if (!variables[name]) violations.push(missing(name));
  }
  if (variables.MEDIA_S3_ENDPOINT) {
    for (const name of OF_S3) if (!variables[name]) violations.push(missing(name));
  } else if (OF_S3.some((name) => variables[name])) violations.push(missing('MEDIA_S3_ENDPOINT'));
  if (variables.AI_TRANSCRIPTION_MODEL && !variables.AI_TRANSCRIPTION_URL && !variables.AI_BASE_URL)
    violations.push(missing('AI_TRANSCRIPTION_URL'));
  if (!isDemo) violations.push(...withoutTls(variables), ...repeatedSecrets(variables));
  if (!environment || violations.length > 0) throw new SettingsError(violations);
  return {
    port: environment.PORT,
    host: environment.HOST,
    publicUrl: addressOf(environment.PUBLIC_URL, environment.PORT),
    providersUrl: environment.PUBLIC_URL === undefined ? null : withoutSlash(environment.PUBLIC_URL),
    databaseUrl: environment.DATABASE_URL ?? '',
    role: environment.ROLE,
    stopNoticeMs: environment.STOP_NOTICE_MS,
    metricsToken: environment.METRICS_TOKEN ?? '',
    sessionSecret: environment.SESSION_SECRET ?? '',
    trustedProxies: itemsOf(environment.TRUSTED_PROXIES ?? ''),
    encryptionKey: environment.ENCRYPTION_KEY ?? '',
    messengers: {
      cloud: {
        apiUrl: withoutSlash(environment.CLOUD_API_URL),
        apiVersion: environment.CLOUD_API_VERSION,
        appSecrets: itemsOf(environment.CLOUD_API_APP_SECRET ?? ''),
        verifyToken: environment.CLOUD_API_VERIFY_TOKEN ?? '',
      },
      gupshup: {
        apiUrl: withoutSlash(environment.GUPSHUP_API_URL),
        webhookToken: environment.GUPSHUP_WEBHOOK_TOKEN ?? '',
      },
      timeoutMs: environment.PROVIDER_TIMEOUT_MS,
    },
    model: {
      baseUrl: environment.AI_BASE_URL === undefined ? null : withoutSlash(environment.AI_BASE_URL),
      apiKey: environment.AI_API_KEY ?? null,
      name: environment.AI_MODEL ?? null,
      replyDelayMs: environment.AI_REPLY_DELAY_MS,
      firstByteMs: environment.AI_FIRST_BYTE_MS,
      repliesPerAccount: environment.AI_REPLIES_PER_ACCOUNT,
    },
    transcription: transcriptionOf(environment),
    transcriptionWaitMs: environment.AI_TRANSCRIPTION_WAIT_MS,
    media: mediaOf(environment),
    rateLimits: { leads: environment.RATE_LIMIT_LEADS, general: environment.RATE_LIMIT_GENERAL },
    caps: {
      keys: environment.ACCOUNT_KEYS_MAX,
      people: environment.ACCOUNT_PEOPLE_MAX,
      assistants: environment.ACCOUNT_AGENTS_MAX,
      stages: environment.AGENT_STAGES_MAX,
      bots: environment.ACCOUNT_BOTS_MAX,
      templates: environment.NUMBER_TEMPLATES_MAX,
    },
    toolsReachThisMachine: isDemo || joinsDemo(variables),
    tracing: tracingOf(environment),
    showsDesign: variables.NODE_ENV !== 'production',
    logLevel: environment.LOG_LEVEL,
  };
}

/**
 * The database that a command works on.
 * @throws SettingsError
 */
export function requireDatabaseUrl(variables: Variables): string {
  const { DATABASE_URL } = parseEnvironment({ DATABASE_URL: variables.DATABASE_URL });
  if (!DATABASE_URL) throw new SettingsError([missing('DATABASE_URL')]);
  return DATABASE_URL;
}

/**
 * Where people and browsers reach the service, without a trailing slash.
 * @throws SettingsError
 */
export function publicUrlOf(variables: Variables): string {
  const { PUBLIC_URL, PORT } = parseEnvironment({ PUBLIC_URL: variables.PUBLIC_URL, PORT: variables.PORT });
  return addressOf(PUBLIC_URL, PORT);
}

const addressOf = (publicUrl: string | undefined, port: number): string =>
  withoutSlash(publicUrl ?? `http://localhost:${port}`);

/**
 * Where files of messages are kept, for a command.
 * @throws SettingsError
 */
export function mediaSettingsOf(variables: Variables): MediaSettings {
  const environment = parseEnvironment(
    Object.fromEntries(
      Object.entries(variables).filter(([name]) => name === 'DATA_DIR' || name.startsWith('MEDIA_')),
    ),
  );
  return mediaOf(environment);
}

/** The variables that this process was started with. No other place reads them. */
export function processVariables(): Variables {
  return process.env;
}
