import { randomBytes } from 'node:crypto';
import { AccountFixture, CREDENTIAL } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { IS_LONG } from '../../support/long.mode';
import { limits } from '../../support/programs/test.limits';
import { PDF } from '../../support/media.samples';
import { residentMb } from '../../support/programs/process.memory';
import { setMediaScene } from '../../support/scenes/media.scene';
import {
  drips,
  FALSE_DESCRIPTIONS,
  FAULTS_OF_BYTES,
  FAULTS_OF_DESCRIPTIONS,
  TOO_LARGE,
} from '../../support/stand-ins/file.faults';
import type { ProvidedFile } from '../../support/stand-ins/file.provider';
import { RecordingHost } from '../../support/stand-ins/recording.host';

/** Of what a process holds in memory at rest. Of the large files 400 MB come at once, and twice that in the long mode. */
const MEMORY_GROWS_MB = 200;
const SHARE = 8;

const scene = setMediaScene({
  environment: {
    ...injected('second-host'),
    ...limits({ 'downloads.silenceMs': 1_000, 'downloads.wholeMs': 6_000 }),
    // Longer than silence, on a slow machine too: it is the file that is told to be late.
    PROVIDER_TIMEOUT_MS: '5000',
    // The second host has a certificate of these tests.
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  },
});

/** What takes every fault off a file. */
const HONEST = { behave: undefined, tell: undefined, url: undefined, size: undefined, sha256: undefined };

/** Somebody else's host that may be called, and one of this machine, that may not. */
let foreign: RecordingHost;
let inside: RecordingHost;
const OF_FOREIGN = Buffer.concat([PDF, Buffer.from('of somebody else')]);

type Provider = 'Meta' | 'Gupshup';

interface Sent {
  message: string;
  bytes: Buffer;
  file: ProvidedFile;
}

const newBytes = (): Buffer => Buffer.concat([PDF, randomBytes(2_000)]);

/** Customers send these files, all at once. */
async function send(provider: Provider, files: readonly Partial<ProvidedFile>[]): Promise<Sent[]> {
  const sent = files.map((given) => {
    const file: ProvidedFile = { bytes: newBytes(), ...given };
    const { bytes } = file;
    return { bytes, made: provider === 'Meta' ? scene.fileOf(file) : scene.gupshupFileOf(file) };
  });
  const changes = sent.flatMap(({ made }) => ('change' in made ? [made.change] : []));
  if (provider === 'Meta') await scene.tell(...changes);
  else await scene.tellGupshup(...sent.flatMap(({ made }) => ('event' in made ? [made.event] : [])));
  return Promise.all(
    sent.map(async ({ bytes, made }) => ({
      bytes,
      file: scene.files.files.get(made.id)!,
      message: await scene.messageOf(made.message),
    })),
  );
}

interface Outcome {
  id: string;
  state: string;
  error: string | null;
  attempts: number;
}

async function outcomeOf({ message }: Sent): Promise<Outcome> {
  const { rows } = await scene.database.pool.query<Outcome>(
    `SELECT f.id, f.state, f.error, f.attempts FROM media f JOIN messages m ON m.media_id = f.id WHERE m.id = $1`,
    [message],
  );
  return rows[0]!;
}

/** What became of it once a try is over. */
const triedOnce = (sent: Sent): Promise<Outcome> =>
  eventually(
    async () => {
      const outcome = await outcomeOf(sent);
      return (outcome.attempts > 0 || outcome.state !== 'loading') && outcome;
    },
    40_000,
    'it was not tried',
  );

const readOf = async ({ id }: Outcome): Promise<[number, string]> => {
  const answer = await scene.read(`/api/v1/messages/media/${id}`, {}, scene.manyCallsKey);
  return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
};

const bytesOf = async (sent: Sent): Promise<Buffer> => {
  const { url } = await scene.mediaIn('stored', sent.message, 30_000);
  return Buffer.from(await (await scene.read(url, {}, scene.manyCallsKey)).arrayBuffer());
};

const dueNow = (all: readonly Sent[]) =>
  scene.database.pool.query(
    `UPDATE media f SET due_at = clock_timestamp() FROM messages m
      WHERE m.media_id = f.id AND m.id = ANY ($1) AND f.state = 'loading'`,
    [all.map(({ message }) => message)],
  );

beforeAll(async () => {
  [foreign, inside] = [
    await RecordingHost.start('127.0.0.2', true, OF_FOREIGN),
    await RecordingHost.start('127.0.0.1', false, OF_FOREIGN),
  ];
  await scene.account.connect('waba');
});
afterAll(() => Promise.all([foreign.stop(), inside.stop()]));

interface Case {
  provider: Provider;
  name: string;
  reason: RegExp;
  file: () => Partial<ProvidedFile>;
}

const redirectTo = (place: () => string): NonNullable<ProvidedFile['behave']> => {
  return (response) => void response.writeHead(302, { location: place() }).end();
};

const BOTH: readonly Provider[] = ['Meta', 'Gupshup'];
const NOT_CALLED = /address is not one that is called/;

const CASES: readonly Case[] = [
  ...BOTH.flatMap((provider) => [
    ...Object.entries(FAULTS_OF_BYTES).map(([name, { fault, reason }]) => ({
      ...{ provider, name, reason },
      file: () =>
        ({ behave: (response, { bytes }) => fault(response, bytes) }) satisfies Partial<ProvidedFile>,
    })),
    {
      ...{ provider, name: 'redirects to this machine', reason: NOT_CALLED },
      file: () => ({ behave: redirectTo(() => inside.url) }),
    },
  ]),
  ...Object.entries(FALSE_DESCRIPTIONS).map(([name, { file, reason }]) => ({
    ...{ provider: 'Meta' as const, name, reason },
    file: () => file,
  })),
  ...Object.entries(FAULTS_OF_DESCRIPTIONS).map(([name, { tell, reason }]) => ({
    ...{ provider: 'Meta' as const, name, reason },
    file: () => ({ tell }),
  })),
  {
    ...{ provider: 'Meta', name: 'describes by a redirect', reason: /answered 302/ },
    file: () => ({ tell: (response) => void response.writeHead(302, { location: foreign.url }).end() }),
  },
  {
    ...{ provider: 'Meta', name: 'says that the file is on this machine', reason: NOT_CALLED },
    file: () => ({ url: `${inside.url}/file` }),
  },
  {
    ...{ provider: 'Meta', name: 'says an address with a name in it', reason: NOT_CALLED },
    file: () => ({ url: `https://graph.facebook.com@${foreign.host}/file` }),
  },
];

describe('a provider that', () => {
  const sent = new Map<Case, Sent>();
  let good: Sent[];
  let failed: Sent | undefined;

  beforeAll(async () => {
    for (const provider of BOTH) {
      const own = CASES.filter((one) => one.provider === provider);
      const all = await send(
        provider,
        own.map(({ file }) => file()),
      );
      own.forEach((one, index) => sent.set(one, all[index]!));
    }
    good = [...(await send('Meta', [{}])), ...(await send('Gupshup', [{}]))];
  });

  it('fails with some files gives the others of the account meanwhile', async () => {
    for (const one of good) expect(await bytesOf(one)).toEqual(one.bytes);
  });

  it.each(CASES.map((one) => ({ ...one, one })))(
    '$name ($provider) is asked again later, and nothing is served',
    async ({ one, reason }) => {
      const outcome = await triedOnce(sent.get(one)!);
      expect(outcome).toMatchObject({ state: 'loading', error: expect.stringMatching(reason) as string });
      expect(await readOf(outcome)).toEqual([409, 'MEDIA_LOADING']);
    },
  );

  it('fails for a day has failed for good', async () => {
    const [, one] = [...sent].find(([{ name }]) => name === 'answers 404') ?? [];
    failed = one!;
    await triedOnce(failed);
    await scene.database.pool.query(
      `UPDATE media SET created_at = created_at - interval '25 hours' WHERE id = $1`,
      [(await outcomeOf(failed)).id],
    );
    await dueNow([failed]);
    await eventually(async () => (await outcomeOf(failed!)).state === 'failed', 20_000, 'it did not fail');
    expect(await readOf(await outcomeOf(failed))).toEqual([410, 'MEDIA_GONE']);
  });

  it('is well again gives each file whole', async () => {
    const all = [...sent].flatMap(([, one]) => (one === failed ? [] : [one]));
    for (const { file } of all) Object.assign(file, HONEST);
    await eventually(
      async () => {
        await dueNow(all);
        const { rows } = await scene.database.pool.query(
          `SELECT 1 FROM media f JOIN messages m ON m.media_id = f.id WHERE m.id = ANY ($1) AND f.state <> 'stored'`,
          [all.map(({ message }) => message)],
        );
        return rows.length === 0;
      },
      40_000,
      'not all files came',
    );
    for (const one of all) expect(await bytesOf(one)).toEqual(one.bytes);
  });
});

it('files that are too large have failed for good, and are never in memory', async () => {
  const rest = residentMb(scene.server.pid);
  const all: Sent[] = [];
  for (const provider of BOTH) {
    const files = Object.values(TOO_LARGE).map((fault): Partial<ProvidedFile> => ({
      size: null,
      behave: (response, { bytes }) => fault(response, bytes),
    }));
    all.push(...(await send(provider, IS_LONG ? [...files, ...files] : files)));
  }
  all.push(...(await send('Meta', [{ size: 101 * 1024 * 1024 }])));
  let most = 0;
  for (const one of all)
    await eventually(
      async () => {
        most = Math.max(most, residentMb(scene.server.pid));
        return (await outcomeOf(one)).state === 'failed';
      },
      100_000,
      'it has not failed',
    );
  for (const one of all) expect(await readOf(await outcomeOf(one))).toEqual([410, 'MEDIA_GONE']);
  expect(most - rest).toBeLessThan(MEMORY_GROWS_MB);
});

it('somebody else’s host is called without the number’s token, and one of this machine not at all', async () => {
  const elsewhere = () => `${foreign.url}/file`;
  const all = [
    ...(await send('Meta', [
      { url: elsewhere(), size: null },
      { behave: redirectTo(elsewhere), size: null },
    ])),
    ...(await send('Gupshup', [{ behave: redirectTo(elsewhere) }])),
  ];
  for (const one of all) expect(await bytesOf(one)).toEqual(OF_FOREIGN);
  expect(foreign.heads).toHaveLength(all.length);
  expect(foreign.heads.join('\n').toLowerCase()).not.toMatch(/authorization|bearer/);
  expect(inside.heads).toEqual([]);
  const { rows } = await scene.database.pool.query('SELECT error FROM media WHERE error IS NOT NULL');
  for (const told of [foreign.heads.join('\n'), scene.server.output(), JSON.stringify(rows)])
    expect(told).not.toContain(CREDENTIAL);
  // The provider itself is asked with it, but where an address needs none.
  const [meta, gupshup] = [all[1]!, all[2]!].map(({ file }) => file);
  expect(tokensFor(meta!)).toEqual([`Bearer ${CREDENTIAL}`, `Bearer ${CREDENTIAL}`]);
  expect(tokensFor(gupshup!)).toEqual([undefined]);
});

function tokensFor(file: ProvidedFile): (string | undefined)[] {
  const [id] = [...scene.files.files].find(([, kept]) => kept === file) ?? [''];
  return scene.files.asked(id).map(({ authorization }) => authorization);
}

it('a provider that drips all files of one account delays none of another one', async () => {
  let over = 0;
  const behave: ProvidedFile['behave'] = (response, { bytes }) => {
    drips(response, bytes);
    response.on('close', () => (over += 1));
  };
  await send(
    'Meta',
    Array.from({ length: 2 * SHARE }, () => ({ behave })),
  );
  await eventually(async () => scene.files.inFlight >= SHARE, 20_000, 'they are not asked for');
  const other = await AccountFixture.create(scene.database.pool);
  await scene.storedFor(other, { bytes: newBytes() });
  expect(over).toBe(0);
});
