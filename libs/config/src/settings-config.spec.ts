import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentSchema } from './environment-schema';
import { loadSettings, parseEnvironment, SettingsError } from './settings-config';

const PRODUCTION = {
  PUBLIC_URL: 'https://leadline.example.com',
  DATABASE_URL: 'postgres://leadline:x@db.internal:5432/leadline',
  SESSION_SECRET: '9c1b7e02d84f6a35c0e2971fb64d83a5',
  ENCRYPTION_KEY: '7d40c1e98b2f6a53907e1c4db8f2a6357d40c1e98b2f6a53907e1c4db8f2a635',
  METRICS_TOKEN: '4f1c9be27d60a8352e9b7c14',
  CLOUD_API_APP_SECRET: '1f83d9abfb41bd6b5be0cd19137e2179',
  CLOUD_API_VERIFY_TOKEN: '510e527fade682d19b05688c2b3e6c1f',
  GUPSHUP_WEBHOOK_TOKEN: '3c6ef372fe94f82ba54ff53a5f1d36f1',
};

const violationsOf = (variables: Record<string, string>): readonly string[] => {
  try {
    loadSettings(variables);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.violations;
    throw error;
  }
};

describe('.env.example', () => {
  const lines = readFileSync(join(__dirname, '../../../.env.example'), 'utf8').split('\n');
  const entries = lines.flatMap((line, index) => {
    const [, name, value] = /^([A-Z\d_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value: value ?? '', above: lines[index - 1] ?? '' }];
  });

  it('lists exactly the settings that exist', () => {
    expect(entries.map(({ name }) => name).sort()).toEqual(Object.keys(environmentSchema.shape).sort());
  });

  it('shows each default as it is, or says it where the demo has another', () => {
    const shown = Object.fromEntries(
      entries.flatMap(({ name, value, above }) => {
        const fallback = value || /Without it (\w+), in the demo \w+\.$/.exec(above)?.[1];
        return fallback ? [[name, fallback]] : [];
      }),
    );
    const defaults = Object.fromEntries(
      Object.entries(parseEnvironment({})).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value as string | number)]],
      ),
    );
    expect(shown).toEqual(defaults);
  });

  it('explains each setting above it', () => {
    expect(entries.filter(({ above }) => !above.startsWith('# ')).map(({ name }) => name)).toEqual([]);
  });
});

const NO_TLS = (fault: string): string =>
  `PUBLIC_URL ${fault}: give the https address of the service, or say by ALLOW_HTTP=1 that nothing is encrypted`;

describe('production settings', () => {
  it('start with a database and real secrets', () => {
    expect(violationsOf(PRODUCTION)).toEqual([]);
  });

  it('name every missing secret at once', () => {
    const { DATABASE_URL } = PRODUCTION;
    expect(violationsOf({ DATABASE_URL })).toEqual([
      'CLOUD_API_APP_SECRET is missing: set it as .env.example shows',
      'SESSION_SECRET is missing: set it as .env.example shows',
      'ENCRYPTION_KEY is missing: set it as .env.example shows',
      'METRICS_TOKEN is missing: set it as .env.example shows',
      'CLOUD_API_VERIFY_TOKEN is missing: set it as .env.example shows',
      'GUPSHUP_WEBHOOK_TOKEN is missing: set it as .env.example shows',
      NO_TLS('is missing'),
    ]);
  });

  it.each([
    ['is missing', {}],
    ['is not https', { PUBLIC_URL: 'http://leadline.example.com' }],
    ['is not https', { PUBLIC_URL: 'http://192.168.1.7:3000' }],
    ['is not https', { PUBLIC_URL: 'http://localhost.example.com' }],
  ])('whose PUBLIC_URL %s are refused, unless ALLOW_HTTP says so: %j', (fault, given) => {
    const { PUBLIC_URL: _, ...others } = PRODUCTION;
    expect(violationsOf({ ...others, ...given })).toEqual([NO_TLS(fault)]);
    expect(violationsOf({ ...others, ...given, ALLOW_HTTP: '1' })).toEqual([]);
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000'])(
    'take %s, which is on this machine',
    (PUBLIC_URL) => expect(violationsOf({ ...PRODUCTION, PUBLIC_URL })).toEqual([]),
  );

  it.each(['MEDIA_S3_BUCKET', 'MEDIA_S3_ACCESS_KEY', 'MEDIA_S3_SECRET_KEY'])(
    'name the missing endpoint of a bucket where there is %s, once',
    (name) => {
      const missing = 'MEDIA_S3_ENDPOINT is missing: set it as .env.example shows';
      expect(violationsOf({ ...PRODUCTION, [name]: 'something' })).toEqual([missing]);
      const all = { MEDIA_S3_BUCKET: 'files', MEDIA_S3_ACCESS_KEY: 'key', MEDIA_S3_SECRET_KEY: 'secret' };
      expect(violationsOf({ ...PRODUCTION, ...all })).toEqual([missing]);
      expect(violationsOf({ ...PRODUCTION, MEDIA_S3_REGION: 'eu-west-1' })).toEqual([]);
      expect(violationsOf({ ...PRODUCTION, ...all, MEDIA_S3_ENDPOINT: 'https://s3.example' })).toEqual([]);
    },
  );

  it('name malformed, missing and weak settings together, each with its remedy', () => {
    const violations = violationsOf({
      ...PRODUCTION,
      PORT: 'abc',
      LOG_LEVEL: 'loud',
      METRICS_TOKEN: '',
      SESSION_SECRET: 'short',
    });
    expect(violations).toHaveLength(4);
    expect(violations.map((violation) => violation.split(' ')[0]).sort()).toEqual([
      'LOG_LEVEL',
      'METRICS_TOKEN',
      'PORT',
      'SESSION_SECRET',
    ]);
  });

  it.each([
    ['SESSION_SECRET', 'k3J9x'],
    ['SESSION_SECRET', 'a'.repeat(40)],
    ['SESSION_SECRET', 'changemechangemechangemechangeme'],
    ['SESSION_SECRET', 'secretsecretsecretsecretsecretsecret1234'],
    ['METRICS_TOKEN', 'k3J9x'],
    ['METRICS_TOKEN', 'leadlineleadline'],
    ['SESSION_SECRET', '12345678901234567890123456789012'],
    ['METRICS_TOKEN', '0123456789012345'],
    ['METRICS_TOKEN', 'metrics-token-1234'],
    ['METRICS_TOKEN', '00112233445566778899'],
    ['METRICS_TOKEN', 'zyxwvutsrqponmlk'],
    ['SESSION_SECRET', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['SESSION_SECRET', 'leadline-session-secret-example-key'],
    ['SESSION_SECRET', 'change-me-change-me-change-me-change-me'],
    ['SESSION_SECRET', 'replace-key-replace-key-replace-key'],
    ['SESSION_SECRET', 'Leadline2026Leadline2026Leadline2026'],
    ['METRICS_TOKEN', 'qwertyuiopasdfgh'],
    ['ENCRYPTION_KEY', 'ab'.repeat(31)],
    ['ENCRYPTION_KEY', 'ab'.repeat(32)],
    ['ENCRYPTION_KEY', '0123456789abcdef'.repeat(4)],
    ['ENCRYPTION_KEY', 'z'.repeat(64)],
  ])('refuse the %s %s', (name, value) => {
    const violations = violationsOf({ ...PRODUCTION, [name]: value });
    expect(violations.map((violation) => violation.split(' ')[0])).toEqual([name]);
    expect(violations.join()).not.toContain(value);
  });

  it('take a random token half of whose digits happen to be neighbours', () => {
    expect(violationsOf({ ...PRODUCTION, METRICS_TOKEN: 'eaa11100d80132feef567ffde6c2edee' })).toEqual([]);
  });

  it.each(['secret', 'changeme', 'default', 'test'])('take a long random secret with "%s" in it', (word) => {
    const value = `kV8rT2mQ${word}9zXwP4LfJ7sHbN3cRyDq5G`;
    expect(violationsOf({ ...PRODUCTION, SESSION_SECRET: value })).toEqual([]);
  });

  it('take every secret that is made at random', () => {
    const weak = Array.from({ length: 2_000 }, () => ({
      SESSION_SECRET: randomBytes(24).toString('base64'),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      METRICS_TOKEN: randomBytes(16).toString('hex'),
    })).filter((secrets) => violationsOf({ ...PRODUCTION, ...secrets }).length > 0);
    expect(weak).toEqual([]);
  });

  it('refuse one value for two secrets, whatever its letter case, by the name of the second', () => {
    const { ENCRYPTION_KEY } = PRODUCTION;
    const same = {
      ...PRODUCTION,
      SESSION_SECRET: ENCRYPTION_KEY,
      METRICS_TOKEN: ENCRYPTION_KEY.toUpperCase(),
      GUPSHUP_WEBHOOK_TOKEN: ENCRYPTION_KEY,
    };
    const remedy = 'make another one with: openssl rand -hex 32';
    expect(violationsOf(same)).toEqual([
      `ENCRYPTION_KEY has the same value as SESSION_SECRET: ${remedy}`,
      `METRICS_TOKEN has the same value as SESSION_SECRET: ${remedy}`,
      `GUPSHUP_WEBHOOK_TOKEN has the same value as SESSION_SECRET: ${remedy}`,
    ]);
  });

  it.each(['PORT', 'RATE_LIMIT_LEADS', 'PROVIDER_TIMEOUT_MS', 'AI_FIRST_BYTE_MS', 'AI_REPLIES_PER_ACCOUNT'])(
    'refuse a %s that is no whole number in bounds',
    (name) => {
      for (const value of ['-1', '1.5', '0x10', '1e3', ' 5', '99999999999']) {
        expect(violationsOf({ ...PRODUCTION, [name]: value })).toHaveLength(1);
      }
    },
  );

  it('name the model, or none', () => {
    const own = {
      AI_BASE_URL: 'http://models.internal:8080/v1/',
      AI_API_KEY: 'sk-1',
      AI_MODEL: 'large',
      AI_REPLY_DELAY_MS: '2000',
      AI_FIRST_BYTE_MS: '45000',
      AI_REPLIES_PER_ACCOUNT: '50',
    };
    expect(loadSettings({ ...PRODUCTION, ...own }).model).toEqual({
      baseUrl: 'http://models.internal:8080/v1',
      apiKey: 'sk-1',
      name: 'large',
      replyDelayMs: 2000,
      firstByteMs: 45_000,
      repliesPerAccount: 50,
    });
    expect(loadSettings(PRODUCTION).model).toEqual({
      baseUrl: null,
      apiKey: null,
      name: null,
      replyDelayMs: 8000,
      firstByteMs: 30_000,
      repliesPerAccount: 200,
    });
  });

  it('has transcripts made by the endpoint of the agents, or by another one, which never gets the key of the first', () => {
    const of = (variables: object) => loadSettings({ ...PRODUCTION, ...variables }).transcription;
    const agents = { AI_BASE_URL: 'http://models.internal/v1/', AI_API_KEY: 'sk-1' };
    const named = { AI_TRANSCRIPTION_MODEL: 'whisper-1' };
    const own = { AI_TRANSCRIPTION_URL: 'http://ears.internal/v1/' };
    expect(of(agents)).toBeNull();
    expect(of({ ...agents, ...named })).toEqual({
      ...{ baseUrl: 'http://models.internal/v1', apiKey: 'sk-1', name: 'whisper-1' },
    });
    expect(of({ ...agents, ...named, ...own })).toEqual({
      ...{ baseUrl: 'http://ears.internal/v1', apiKey: null, name: 'whisper-1' },
    });
    expect(of({ ...named, ...own, AI_TRANSCRIPTION_KEY: 'sk-2' })?.apiKey).toBe('sk-2');
    expect(violationsOf({ ...PRODUCTION, ...named })).toEqual([
      expect.stringMatching(/^AI_TRANSCRIPTION_URL /),
    ]);
    expect(loadSettings(PRODUCTION).transcriptionWaitMs).toBe(30_000);
  });

  it.each(['sk-1\r\nX-Own: 1', 'sk 1', 'ключ'])('refuse %j as a key that no header carries', (AI_API_KEY) => {
    expect(violationsOf({ ...PRODUCTION, AI_API_KEY })).toEqual([
      'AI_API_KEY must be letters, digits and signs of ASCII, without spaces',
    ]);
  });

  it('trace nothing, or send spans where OpenTelemetry’s own settings say', () => {
    expect(loadSettings(PRODUCTION).tracing).toBeNull();
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant=7',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(loadSettings({ ...PRODUCTION, ...given }).tracing).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: { authorization: 'Bearer a=b', 'x-tenant': '7' },
      timeoutMs: 10_000,
      serviceName: 'leadline',
      sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b%0d%0ac'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('refuse %s=%s by its name, and do not repeat it', (name, value) => {
    const [violation, ...others] = violationsOf({ ...PRODUCTION, [name]: value });
    expect(others).toEqual([]);
    expect(violation).toMatch(new RegExp(`^${name} must be `));
    expect(violation).not.toContain(value);
  });

  it.each(['work.leaseMs', '[]', 'null', '{', '5'])('refuse %s as PROCESS_LIMITS', (PROCESS_LIMITS) => {
    expect(violationsOf({ ...PRODUCTION, PROCESS_LIMITS })).toEqual([
      'PROCESS_LIMITS must be a JSON object of limits, such as {"work.leaseMs":5000}',
    ]);
  });

  it('let no tool call this machine, which the demo and the processes that join it alone do', () => {
    const names = { TOOLS_REACH_THIS_MACHINE: 'true', toolsReachThisMachine: 'true' };
    expect(loadSettings({ ...PRODUCTION, ...names }).toolsReachThisMachine).toBe(false);
    expect(loadSettings(PRODUCTION, true).toolsReachThisMachine).toBe(true);
    const joined = { ...PRODUCTION, DEMO_SECRET: 'of the demo.env that the demo has written' };
    expect(loadSettings(joined).toolsReachThisMachine).toBe(true);
    expect(loadSettings({ ...PRODUCTION, DEMO_SECRET: '' }).toolsReachThisMachine).toBe(false);
  });

  it('take the secrets of several apps at Meta, each as hard to guess as one', () => {
    const given = (CLOUD_API_APP_SECRET: string) => ({ ...PRODUCTION, CLOUD_API_APP_SECRET });
    const [one, other] = ['0f1e2d3c4b5a69788796a5b4c3d2e1f0', '9a8b7c6d5e4f30211203f4e5d6c7b8a9'];
    expect(loadSettings(given(`${one}, ${other}`)).messengers.cloud.appSecrets).toEqual([one, other]);
    for (const list of [`${one},short`, ','])
      expect(violationsOf(given(list))).toEqual([
        'CLOUD_API_APP_SECRET is too short: copy the app secret of your Meta app',
      ]);
  });

  it('take an empty setting as not given', () => {
    expect(loadSettings({ ...PRODUCTION, PORT: '', HOST: '' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
    });
  });
});

describe("the demo's settings", () => {
  const OF_PROVIDERS = {
    CLOUD_API_APP_SECRET: 'app-secret-1',
    CLOUD_API_VERIFY_TOKEN: 'app-secret-1',
    GUPSHUP_WEBHOOK_TOKEN: 'token',
  };

  it('accept the secret of a stand-in for a provider, however weak', () => {
    const { messengers } = loadSettings({ ...PRODUCTION, ...OF_PROVIDERS }, true);
    expect(messengers.cloud).toMatchObject({ appSecrets: ['app-secret-1'], verifyToken: 'app-secret-1' });
    expect(messengers.gupshup.webhookToken).toBe('token');
  });

  it('are refused in production', () => {
    const violations = violationsOf({ ...PRODUCTION, ...OF_PROVIDERS });
    expect(new Set(violations.map((violation) => violation.split(' ')[0]))).toEqual(
      new Set(Object.keys(OF_PROVIDERS)),
    );
  });
});
