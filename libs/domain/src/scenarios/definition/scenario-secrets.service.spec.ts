import type {
  ScenarioSecretRepository,
  SealedSecret,
  StoredSecret,
} from '@app/persistence/scenarios/definition/scenario-secret.repository';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { ScenarioSecrets } from './scenario-secrets.service';

const KEY = { accountId: 'account', scenarioId: 'scenario' };
const HOUR_MS = 3_600_000;
/** The database's clock, of which this process is three days behind. */
let clock = 0;
let stored: SealedSecret | null = null;

const cipher = {
  seal: (text: string, bound: string) => ({ keyId: 'k', sealed: Buffer.from(`${bound} ${text}`) }),
  open: (_: string, sealed: Buffer, bound: string) => {
    if (!sealed.toString().startsWith(`${bound} `)) throw new Error('sealed for another');
    return sealed.toString().slice(bound.length + 1);
  },
} as unknown as SecretCipher;
const repository = {
  find: () => Promise.resolve(stored && { ...stored, askedAt: new Date(clock) }),
  replace: (_: object, secret: SealedSecret) => Promise.resolve((stored = secret) !== null),
} as unknown as ScenarioSecretRepository;
const secrets = new ScenarioSecrets(repository, cipher);

const rotate = (hours?: number): Promise<string> => secrets.rotate(KEY, hours, () => null);
const signers = async (): Promise<string[]> => secrets.opened(KEY, await secrets.find(KEY));

let first = '';

beforeEach(() => {
  clock = Date.now() + 72 * HOUR_MS;
  const made = secrets.first(KEY);
  first = made.shown;
  stored = made.stored;
});

it('the former secret signs as long as is said, by the clock of the database', async () => {
  expect(await signers()).toEqual([first]);
  const second = await rotate();
  expect(await signers()).toEqual([second, first]);
  clock += 24 * HOUR_MS - 1;
  expect(await signers()).toEqual([second, first]);
  clock += 1;
  expect(await signers()).toEqual([second]);
});

it('the one before the former secret does not sign any more, and a former one not at all where that is said', async () => {
  const second = await rotate();
  const third = await rotate(168);
  expect(await signers()).toEqual([third, second]);
  clock += 168 * HOUR_MS;
  expect(await signers()).toEqual([third]);
  const last = await rotate(0);
  expect(await signers()).toEqual([last]);
  expect(new Set([first, second, third, last]).size).toBe(4);
});

it('secrets of another scenario do not open', () => {
  const other = { ...KEY, scenarioId: 'other' };
  const { stored: its } = secrets.first(other);
  const read: StoredSecret = { ...its, askedAt: new Date(clock) };
  expect(() => secrets.opened(KEY, read)).toThrow('sealed');
});
