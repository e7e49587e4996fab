import type { RateCounter } from '@app/domain/accounts/admission.service';
import type { Principal, Scope } from '@app/domain/accounts/principal.rules';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** What a route requires: the counter of its calls, and one of which scopes. */
export interface AccessRule {
  counter: RateCounter;
  scopes: readonly Scope[];
}

export const ACCESS_RULE = 'access:rule';
export const PUBLIC = 'access:public';
export const RAW_BODY = 'access:raw-body';

/** Needs an API key with one of the scopes, and counts the call. */
export const Access = (counter: RateCounter, ...scopes: Scope[]) =>
  SetMetadata(ACCESS_RULE, { counter, scopes } satisfies AccessRule);

/** Needs no API key. A route with neither decorator refuses every call. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Takes its body unparsed: the route's guard reads it. */
export const RawBody = () => SetMetadata(RAW_BODY, true);

export interface AdmittedRequest extends Request {
  principal?: Principal;
}

/** The caller that the admission guard recognised. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AdmittedRequest>();
  if (!principal) throw new Error('no principal: the route is public or the admission guard is missing');
  return principal;
});
