import type { Operation } from '@app/domain/accounts/access-table';
import { RequestMethod, type ExecutionContext, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import { OPERATION, OWN_PAGES, PUBLIC, RAW_BODY } from '../auth/access.decorator';
import { type DtoClass, mayBeEmpty } from '../dto/dto-pipe';

/** What a route's decorators say. */
export interface RouteRules {
  isPublic: boolean;
  operation: Operation | undefined;
  /** Only pages of this service may call it. */
  isOfOwnPages: boolean;
  takesRawBody: boolean;
  /** The DTO of its body; undefined where it has none. */
  bodyType: DtoClass | undefined;
  /**
   * Whether a call may come without a body, which is the same as one without fields: an action that takes none, or an admin's
   * that needs none of them. All others name what they read or change.
   */
  mayLackBody: boolean;
}

const known = new WeakMap<Type<unknown>, Map<unknown, RouteRules>>();

/** Read once for each route, because two guards of each call need it. */
export function rulesOf(context: ExecutionContext): RouteRules {
  const controller = context.getClass();
  const handler = context.getHandler();
  let ofController = known.get(controller);
  if (!ofController) known.set(controller, (ofController = new Map()));
  let rules = ofController.get(handler);
  if (!rules) ofController.set(handler, (rules = readRules(context)));
  return rules;
}

function readRules(context: ExecutionContext): RouteRules {
  const reflector = new Reflector();
  const controller = context.getClass();
  const handler = context.getHandler();
  const targets = [handler, controller];
  return {
    isPublic: reflector.getAllAndOverride<boolean>(PUBLIC, targets) === true,
    operation: reflector.getAllAndOverride<Operation | undefined>(OPERATION, targets),
    isOfOwnPages: Reflect.hasMetadata(OWN_PAGES, handler),
    takesRawBody: takesRawBody(handler),
    bodyType: bodyTypeOf(controller, handler.name),
    mayLackBody: mayLackBody(controller, handler),
  };
}

const takesRawBody = (handler: object): boolean => Reflect.hasMetadata(RAW_BODY, handler);

/** @see RouteRules.mayLackBody */
export function mayLackBody(controller: Type<unknown>, handler: { name: string }): boolean {
  if (takesRawBody(handler)) return false;
  const bodyType = bodyTypeOf(controller, handler.name);
  return !bodyType || (isActionOfAdmins(controller, handler) && mayBeEmpty(bodyType));
}

function isActionOfAdmins(controller: Type<unknown>, handler: { name: string }): boolean {
  const path = String(Reflect.getMetadata(PATH_METADATA, controller) ?? '');
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method === RequestMethod.POST && path.startsWith('api/v1/admin');
}

/** The class of the parameter with `@Body()`, as Nest tells it to the pipes. */
function bodyTypeOf(controller: Type<unknown>, name: string): DtoClass | undefined {
  const places = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number }
  >;
  const [, body] = Object.entries(places).find(([kind]) => kind.startsWith(`${RouteParamtypes.BODY}:`)) ?? [];
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as DtoClass[];
  return body && types[body.index];
}
