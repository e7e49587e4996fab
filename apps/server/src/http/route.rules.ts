import type { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS_RULE, PUBLIC, RAW_BODY, type AccessRule } from './access.decorators';

/** What a route's decorators say. */
export interface RouteRules {
  isPublic: boolean;
  access: AccessRule | undefined;
  takesRawBody: boolean;
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
  const targets = [context.getHandler(), context.getClass()];
  return {
    isPublic: reflector.getAllAndOverride<boolean>(PUBLIC, targets) === true,
    access: reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, targets),
    takesRawBody: Reflect.hasMetadata(RAW_BODY, context.getHandler()),
  };
}
