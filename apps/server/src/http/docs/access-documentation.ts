import type { ErrorCode } from '@app/contracts/error-codes';
import { accessRuleOf, type AccessRule, type Operation } from '@app/domain/accounts/access-table';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { OPERATION } from '../auth/access.decorator';

/** What the OpenAPI document says about who may call an operation. */
export interface DocumentedAccess {
  /** Each is one way to call: the credentials that it needs together. */
  ways: Record<string, string[]>[];
  /** Of calls by a session, besides those of every operation. */
  errors: ErrorCode[];
  /** Who may call it by a session, in a sentence. */
  inWords: string | null;
  /** What FORBIDDEN means to keys, and to people. */
  forbidden: { key: string; person: string | null } | null;
  /** The operation's name in the table of operations and in the audit. */
  operation: Operation | null;
}

const NOBODY: DocumentedAccess = { ways: [], errors: [], inWords: null, forbidden: null, operation: null };

/** Scheme of a session's cookie, and of what a page of this service sends with each change. */
export const SESSION = 'Session';
export const CSRF_TOKEN = 'CsrfToken';

/** @param handler a controller's method with all its decorators */
export function documentedAccessOf(handler: object): DocumentedAccess {
  const operation = Reflect.getMetadata(OPERATION, handler) as Operation | undefined;
  if (operation === undefined) return NOBODY;
  const rule: AccessRule = accessRuleOf(operation);
  const { scopes, role, confirmed } = rule;
  const changes = Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.GET;
  return {
    ways: [
      ...(scopes.includes('admin') ? [{ AdminKey: [] }] : []),
      ...(scopes.some((scope) => scope !== 'admin') ? [{ ApiKey: [] }] : []),
      ...(role ? [{ [SESSION]: [], ...(changes && { [CSRF_TOKEN]: [] }) }] : []),
    ],
    errors: [
      ...(role && changes ? (['CSRF'] as const) : []),
      ...(role && confirmed ? (['CONFIRM_REQUIRED'] as const) : []),
    ],
    inWords: wordsOf(rule),
    forbidden: forbiddenOf(rule),
    operation,
  };
}

function forbiddenOf({ scopes, role, always }: AccessRule): DocumentedAccess['forbidden'] {
  const key =
    scopes.length === 0
      ? 'A key called: only a person who is signed in may do this'
      : 'The key lacks the scope of this operation';
  if (role === null) return { key, person: 'a person called: only a key of the installation may do this' };
  const lacking = [
    ...(role === 'admin' ? ['is no admin of the account'] : []),
    ...(always ? [] : ['must enable a second factor first, which the account demands']),
  ];
  return { key, person: lacking.length === 0 ? null : `the person ${lacking.join(', or ')}` };
}

function wordsOf({ scopes, role, confirmed }: AccessRule): string | null {
  if (scopes.length === 0) return null;
  if (role === null) return 'No person may call it.';
  const who = role === 'admin' ? 'admins of the account' : 'operators and admins of the account';
  return `By a session: ${who}${confirmed ? ', with the password given again (`auth/confirm`)' : ''}.`;
}
