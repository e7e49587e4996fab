import type { Actor } from '@app/contracts/lead.words';
import type { ActiveKey } from '@app/persistence/accounts/active-key.columns';
import type { Visibility } from '@app/persistence/accounts/visibility.scope';
import { ForbiddenError } from './account.errors';

/** What a key may be used for: messages, leads, or administration of the installation. */
export const SCOPES = ['messages', 'leads', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/** The caller: an API key. */
export interface Principal {
  keyId: string;
  keyName: string;
  /** Null for an admin key, which belongs to no account. */
  accountId: string | null;
  scopes: readonly string[];
  botIds: readonly string[];
  assistantIds: readonly string[];
  /** The id of its call; absent for a socket and a command. */
  requestId?: string;
}

export function principalOf(key: ActiveKey): Principal {
  return {
    keyId: key.id,
    keyName: key.name,
    accountId: key.account_id,
    scopes: key.scopes,
    botIds: key.bot_ids,
    assistantIds: key.assistant_ids,
  };
}

/** A person who may run commands on the host counts as an admin. */
export const COMMAND_LINE: Principal = {
  keyId: 'command line',
  keyName: 'command line',
  accountId: null,
  scopes: ['admin'],
  botIds: [],
  assistantIds: [],
};

/** @throws ForbiddenError when the principal has none of the scopes. */
export function requireScope(principal: Principal, scopes: readonly Scope[]): void {
  if (!scopes.some((scope) => principal.scopes.includes(scope))) throw new ForbiddenError(scopes);
}

/**
 * Which of an account's dialogs the principal sees.
 * @throws ForbiddenError for a principal without an account.
 */
export function visibilityOf(principal: Principal): Visibility {
  if (principal.accountId === null) throw new ForbiddenError(['leads']);
  return { accountId: principal.accountId, assistantIds: principal.assistantIds };
}

/** The principal as histories and boards show it. */
export function actorOf(principal: Principal): Actor {
  return { type: 'api_key', id: principal.keyId, name: principal.keyName };
}

/** Who calls, and the id of the call, as events keep them. */
export const callOf = (principal: Principal): { actor: Actor; requestId: string | null } => ({
  actor: actorOf(principal),
  requestId: principal.requestId ?? null,
});
