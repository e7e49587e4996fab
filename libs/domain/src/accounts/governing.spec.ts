import type { AccountRepository } from '@app/persistence/accounts/account.repository';
import type { ApiKeyRepository } from '@app/persistence/accounts/keys/api-key.repository';
import { ForbiddenError } from './account.errors';
import type { Audit } from '../audit/audit.service';
import { NO_CAPS } from './account-caps';
import { AccountsService } from './accounts.service';
import { ApiKeysService } from './keys/api-keys.service';
import type { Principal } from './principal.rules';

const ID = '01930000-0000-7000-8001-000000000001';

/** A key of an account, with every scope that such a key can have. */
const ofAnAccount: Principal = {
  type: 'key',
  id: ID,
  name: 'key',
  accountId: ID,
  scopes: ['messages', 'leads'],
  role: null,
  botIds: [],
  assistantIds: [],
};

/** Fails the test when any method is called. */
const untouched = new Proxy({}, { get: (_, name) => fail(name) }) as AccountRepository &
  ApiKeyRepository &
  Audit;

function fail(name: string | symbol): never {
  throw new Error(`${String(name)} was asked for a caller who may not know`);
}

const accounts = new AccountsService(untouched, untouched);
const keys = new ApiKeysService(untouched, untouched, untouched, NO_CAPS);

it.each([
  ['accounts.list', () => accounts.list(ofAnAccount, null, 1)],
  ['accounts.get', () => accounts.get(ofAnAccount, ID)],
  ['accounts.create', () => accounts.create(ofAnAccount, { name: 'name' })],
  ['accounts.change', () => accounts.change(ofAnAccount, ID, {})],
  ['keys.list', () => keys.list(ofAnAccount, null, null, 1)],
  [
    'keys.issue',
    () => keys.issue(ofAnAccount, { name: 'name', scopes: ['admin'], botIds: [], assistantIds: [] }),
  ],
  ['keys.change', () => keys.change(ofAnAccount, ID, {})],
  ['keys.revoke', () => keys.revoke(ofAnAccount, ID)],
])('%s refuses whoever does not govern the installation, by whatever way the call comes', async (_, call) => {
  await expect(call()).rejects.toThrow(ForbiddenError);
});
