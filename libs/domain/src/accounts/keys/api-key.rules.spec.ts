import { violationsOfChangedReach, violationsOfReach, type KeyReach } from './api-key.rules';

const OF_ACCOUNT: KeyReach = { accountId: 'a', scopes: ['leads'], botIds: ['b'], assistantIds: ['c'] };
const OF_NONE: KeyReach = { accountId: null, scopes: ['admin'], botIds: [], assistantIds: [] };

it.each<[KeyReach, string[], string[]]>([
  [OF_ACCOUNT, [], []],
  [OF_NONE, [], []],
  [{ ...OF_ACCOUNT, accountId: null }, ['account_id'], ['scopes']],
  [{ ...OF_NONE, scopes: ['admin', 'leads'] }, ['scopes'], ['scopes']],
  [{ ...OF_NONE, accountId: 'a' }, ['account_id'], ['scopes']],
  [
    { ...OF_NONE, botIds: ['b'], assistantIds: ['c'] },
    ['bot_ids', 'assistant_ids'],
    ['bot_ids', 'assistant_ids'],
  ],
])(
  'an admin key has no account and nothing of one, any other key has an account: %j',
  (reach, made, changed) => {
    expect(violationsOfReach(reach).map(({ path }) => path)).toEqual(made);
    expect(violationsOfChangedReach(reach).map(({ path }) => path)).toEqual(changed);
  },
);
