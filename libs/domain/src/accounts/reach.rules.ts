import { isUuid } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/coded.errors';
import type { Reach } from '@app/persistence/accounts/reach-scope';
import { AccountNotFoundError } from './account.errors';

/** Whether an account of this id, if there is one, is within reach. */
export const reaches = ({ accountId }: Reach, id: string): boolean =>
  isUuid(id) && (accountId === null || accountId === id.toLowerCase());

/** The reach within a list's filter by account; null: nothing is there. */
export function narrowed(reach: Reach, accountId: string | null): Reach | null {
  if (accountId === null) return reach;
  return reaches(reach, accountId) ? { ...reach, accountId: accountId.toLowerCase() } : null;
}

/**
 * The account that a body names. Absent, it is the own one.
 * @throws AccountNotFoundError for another one than the own, ValidationError for none where the caller has none.
 */
export function accountNamed(reach: Reach, accountId: string | undefined): string {
  if (accountId === undefined) {
    if (reach.accountId !== null) return reach.accountId;
    throw new ValidationError([{ path: 'account_id', message: 'must be a string' }]);
  }
  if (!reaches(reach, accountId)) throw new AccountNotFoundError();
  return accountId;
}
