import { ValidationError } from '@app/contracts/coded.errors';
import type { Actor, StatusSetBy } from '@app/contracts/lead.words';
import type { ActiveKey } from '@app/persistence/accounts/keys/api-key.entity';
import type { Reach, Visibility } from '@app/persistence/accounts/reach-scope';
import type { ActiveSession } from '@app/persistence/accounts/people/session.statements';
import { isUuid } from '@app/contracts/uuid.format';
import { accessRuleOf, type Operation, type Role } from './access-table';
import { ForbiddenError, AccountNotFoundError } from './account.errors';
import { ConfirmRequiredError } from './people/people.errors';

/** The caller: an API key, or a person who is signed in. */
export interface Principal {
  type: 'key' | 'user';
  id: string;
  name: string;
  /** Null for an admin key, which belongs to no account. */
  accountId: string | null;
  /** Of a key; a person has none. */
  scopes: readonly string[];
  /** Of a person; null for a key. */
  role: Role | null;
  /** The bots by which it may send. */
  botIds: readonly string[];
  /** The agents whose dialogs it sees. */
  assistantIds: readonly string[];
  /** Of a key: SHA-256 of the secret that it came with, in base64. A key may have two for a while. */
  secretHash?: string;
  /** The id of its call; absent for a socket and a command. */
  requestId?: string;
  /** The network address of its call; absent for a socket and a command. */
  ip?: string;
}

/** What histories and the audit keep of a caller. */
export type Caller = Pick<Principal, 'type' | 'id' | 'name' | 'requestId' | 'ip'>;

export function principalOf(key: ActiveKey, secretHash: Buffer): Principal {
  return {
    type: 'key',
    id: key.id,
    name: key.name,
    accountId: key.account_id,
    scopes: key.scopes,
    role: null,
    botIds: key.bot_ids,
    assistantIds: key.assistant_ids,
    secretHash: secretHash.toString('base64'),
  };
}

/** A person who is signed in. */
export interface Person extends Principal {
  type: 'user';
  accountId: string;
  session: {
    id: string;
    /** The password was given again in the last ten minutes. */
    confirmed: boolean;
    /** The account demands a second factor, and the person must enable one first. */
    needsSecondFactor: boolean;
  };
}

export const isPerson = (principal: Principal): principal is Person => principal.type === 'user';

export function personOf(session: ActiveSession): Person {
  return {
    type: 'user',
    id: session.id,
    name: session.name,
    accountId: session.account_id,
    scopes: [],
    role: session.role,
    botIds: session.bot_ids,
    assistantIds: session.assistant_ids,
    session: {
      id: session.session_id,
      confirmed: session.confirmed,
      needsSecondFactor: session.needs_second_factor,
    },
  };
}

/** A person who may run commands on the host counts as an admin. */
export const COMMAND_LINE: Principal = {
  type: 'key',
  id: 'command line',
  name: 'command line',
  accountId: null,
  scopes: ['admin'],
  role: null,
  botIds: [],
  assistantIds: [],
};

/** Whether the table of operations allows it to the principal. */
export function mayDo({ type, scopes, role }: Principal, operation: Operation): boolean {
  const rule = accessRuleOf(operation);
  if (type === 'key') return rule.scopes.some((scope) => scopes.includes(scope));
  return rule.role === 'operator' || (rule.role === 'admin' && role === 'admin');
}

/** A person must first enable a second factor, which the account demands. */
const lacksSecondFactor = (principal: Principal, operation: Operation): boolean =>
  isPerson(principal) && principal.session.needsSecondFactor && !accessRuleOf(operation).always;

/** Whether a socket that was let in for it may stay. */
export const mayGoOn = (principal: Principal, operation: Operation): boolean =>
  mayDo(principal, operation) && !lacksSecondFactor(principal, operation);

/**
 * For what was begun: the password that was given again for it may be too long ago by now.
 * @throws ForbiddenError when the table of operations does not allow it to the principal
 */
export function requireMayGoOn(principal: Principal, operation: Operation): void {
  const { scopes, role } = accessRuleOf(operation);
  if (!mayDo(principal, operation))
    throw principal.type === 'key' ? ForbiddenError.ofKey(scopes) : ForbiddenError.ofPerson(role);
  if (lacksSecondFactor(principal, operation)) throw ForbiddenError.ofSecondFactor();
}

/**
 * @throws ForbiddenError when the table of operations does not allow it to the principal, ConfirmRequiredError when a
 * person must give the password again first.
 */
export function requireMay(principal: Principal, operation: Operation): void {
  requireMayGoOn(principal, operation);
  if (accessRuleOf(operation).confirmed) requireConfirmed(principal);
}

/**
 * Of a change that weighs by what it says, not by its operation.
 * @throws ConfirmRequiredError when a person must give the password again first.
 */
export function requireConfirmed(principal: Principal): void {
  if (isPerson(principal) && !principal.session.confirmed) throw new ConfirmRequiredError();
}

/**
 * Which of an account's dialogs the principal sees.
 * @throws ForbiddenError for a principal without an account.
 */
export function visibilityOf(principal: Principal): Visibility {
  if (principal.accountId === null) throw ForbiddenError.ofKey(['leads']);
  return { accountId: principal.accountId, assistantIds: principal.assistantIds };
}

/**
 * Which messages and lists the principal sees by their ids: those of the own dialogs, and a key also what its bots sent. A
 * bot's agent may change, so a person's bots tell nothing of the dialogs that they wrote in before.
 * @throws ForbiddenError for a principal without an account.
 */
export function sendingVisibilityOf(principal: Principal): Visibility & Pick<Principal, 'botIds'> {
  return { ...visibilityOf(principal), botIds: isPerson(principal) ? [] : principal.botIds };
}

/**
 * What the principal administers: an admin key all accounts, an admin the own account, an operator reads what belongs
 * to the own agents.
 * @throws ForbiddenError for a key without the scope `admin`.
 */
export function reachOf({ type, scopes, role, accountId, assistantIds }: Principal): Reach {
  if (type === 'user') return { accountId, assistantIds: role === 'admin' ? null : assistantIds };
  if (!scopes.includes('admin')) throw ForbiddenError.ofKey(['admin']);
  return { accountId: null, assistantIds: null };
}

/** Whether the principal is an admin: a person or a key. */
export const administers = ({ role, scopes }: Principal): boolean =>
  role === 'admin' || scopes.includes('admin');

/** The principal as histories and boards show it. */
export function actorOf({ type, id, name }: Caller): Actor {
  return { type, id, name };
}

/** Who changed a lead, in the word of leads and histories. */
export const setterOf = (by: Principal): StatusSetBy => (isPerson(by) ? 'OPERATOR_MANUAL' : 'SYSTEM');

/** Whose a message is that the principal sends. */
export const authorOf = (by: Principal): 'OPERATOR' | 'SYSTEM' => (isPerson(by) ? 'OPERATOR' : 'SYSTEM');

/** Who calls, and the id of the call, as events keep them. */
export const callOf = (principal: Caller): { actor: Actor; requestId: string | null } => ({
  actor: actorOf(principal),
  requestId: principal.requestId ?? null,
});

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
