import type { Operation } from '@app/domain/accounts/access-table';
import { isPerson, type Person, type Principal } from '@app/domain/accounts/principal.rules';
import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export const OPERATION = 'access:operation';
export const PUBLIC = 'access:public';
export const RAW_BODY = 'access:raw-body';
export const OWN_PAGES = 'access:own-pages';

/** Whoever the table of operations allows it to may call the route. */
export const Access = (operation: Operation) => SetMetadata(OPERATION, operation);

/** Anybody may call the route. A route with neither decorator refuses every call. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Only pages of this service may call it: their Origin shows them. */
export const OwnPages = () => SetMetadata(OWN_PAGES, true);

/** Takes its body unparsed: the route's guard reads it. */
export const RawBody = () => SetMetadata(RAW_BODY, true);

export interface AdmittedRequest extends Request {
  principal?: Principal;
  /** What it asks for: by the table of operations, or the path of what only pages of this service may call. */
  operation?: string;
}

/** The caller that the admission guard recognised. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AdmittedRequest>();
  if (!principal) throw new Error('no principal: the route is public or the admission guard is missing');
  return principal;
});

/** The person whose session it is, where the table of operations lets nobody else call. */
export const CurrentPerson = createParamDecorator((_: unknown, context: ExecutionContext): Person => {
  const { principal } = context.switchToHttp().getRequest<AdmittedRequest>();
  if (!principal || !isPerson(principal))
    throw new Error('no person: the table of operations lets keys call');
  return principal;
});
