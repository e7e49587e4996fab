import type {
  NumberSecretRepository,
  NumberSecretRow,
} from '@app/persistence/webhooks/number-secret.repository';
import type { SecretCipher } from '../accounts/secret-cipher.port';
import { NumberSecrets, numbersNamedIn } from './number-secrets.service';

/** The secret of the number, sealed as a cipher would that keeps it as it is. */
const numberOf = (sender: string, secret: string, botId = `bot ${sender}`): NumberSecretRow => ({
  ...{ accountId: 'account', botId, channel: 'waba_coexistence', sender },
  ...{ app_secret_key_id: 'key', app_secret: Buffer.from(secret) },
  identity: `account/${botId}/waba_coexistence/${sender}`,
});

const CIPHER = {
  open(keyId: string, sealed: Buffer, bound: string) {
    if (keyId !== 'key' || !bound.endsWith('/waba_coexistence/app_secret')) throw new Error('does not open');
    return sealed.toString();
  },
} as unknown as SecretCipher;

/** @param numbers those that the database has for what is named */
function open(numbers: NumberSecretRow[]) {
  const asked: (readonly string[])[][] = [];
  const repository = { named: async (...given: (readonly string[])[]) => (asked.push(given), numbers) };
  const secrets = new NumberSecrets(repository as unknown as NumberSecretRepository, CIPHER);
  const tried = async (body: object) => {
    const named = await secrets.namedIn(Buffer.from(JSON.stringify(body)));
    return named.map(({ secret, numbers: having }) => [secret, having.map(({ sender }) => sender)]);
  };
  return { tried, asked };
}

/** One entry, with a change for each number. */
const bodyOf = (business: string, ...senders: string[]) => ({
  entry: [{ id: business, changes: senders.map((id) => ({ value: { metadata: { phone_number_id: id } } })) }],
});

describe('the secrets that are tried for a webhook', () => {
  it('are those of the numbers that it names, and of those of its business account', async () => {
    const { tried, asked } = open([numberOf('10001', 'a'), numberOf('10002', 'b')]);
    expect(await tried(bodyOf('70001', '10001', '10002', '10001'))).toEqual([
      ['a', ['10001']],
      ['b', ['10002']],
    ]);
    expect(asked).toEqual([[['10001', '10002'], ['70001']]]);
    expect(await tried({ entry: [{ id: '70001', changes: [{ field: 'account_update' }] }] })).toHaveLength(2);
  });

  it('are none, without a question to the database, where it names nothing', async () => {
    const { tried, asked } = open([numberOf('10001', 'a')]);
    for (const body of [{}, { text: '"phone_number_id":"10001"' }, { phone_number_id: '1' }])
      expect(await tried(body)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('are one where several numbers have one app, so that it may tell of each of them', async () => {
    const { tried } = open([numberOf('10001', 'a'), numberOf('10002', 'a')]);
    expect(await tried(bodyOf('70001', '10001'))).toEqual([['a', ['10001', '10002']]]);
  });

  it('are none of a number of the business account where it tells of another number alone', async () => {
    const { tried } = open([numberOf('10002', 'b')]);
    expect(await tried(bodyOf('70001', '10001'))).toEqual([]);
  });

  it('are eight at most', async () => {
    const all = Array.from({ length: 20 }, (_, n) => numberOf(String(10_001 + n), `secret ${n}`));
    const { tried } = open(all);
    expect(await tried(bodyOf('70001', ...all.map(({ sender }) => sender)))).toHaveLength(8);
  });

  it('are none that another key sealed', async () => {
    const { tried } = open([
      { ...numberOf('10001', 'a'), app_secret_key_id: 'the former key' },
      numberOf('10002', 'b'),
    ]);
    expect(await tried(bodyOf('70001', '10001', '10002'))).toEqual([['b', ['10002']]]);
  });
});

it.each([
  ['whatever blanks are around them', '{ "phone_number_id" : "10001" }', ['10001'], []],
  ['in any order of keys', '{"changes":[{"phone_number_id":"10001"}],"id":"70001"}', ['10001'], ['70001']],
  ['where they are written as numbers', '{"id":70001}', [], ['70001']],
  ['in what is no JSON', '{"id":"70001"', [], ['70001']],
  ['not in a text', JSON.stringify({ body: '"id":"70001"' }), [], []],
  ['not of more digits than one has', `{"id":"${'7'.repeat(21)}"}`, [], []],
])('numbers and business accounts are found %s', (_, body, senders, businesses) => {
  const named = numbersNamedIn(Buffer.from(body));
  expect([[...named.senders], [...named.businesses]]).toEqual([senders, businesses]);
});

it('at most a thousand names of each kind are looked up', () => {
  const body = Array.from({ length: 3_000 }, (_, n) => `"id":"${10_000 + n}"`).join();
  expect(numbersNamedIn(Buffer.from(body)).businesses.size).toBe(1_000);
});
