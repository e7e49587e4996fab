import { RateLimitedError, UnauthorizedError } from '@app/domain/accounts/account.errors';
import { accessRuleOf } from '@app/domain/accounts/access.table';
import { AdmissionService } from '@app/domain/accounts/admission.service';
import { requireMay } from '@app/domain/accounts/principal.rules';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Response } from 'express';
import type { AdmittedRequest } from './access.decorators';
import { ArrivedBodies } from './arrived.bodies';
import type { IdentifiedRequest } from './request-id.middleware';
import { rulesOf } from './route.rules';

/**
 * Checks key, rate and scope, in this order and only here. The throttler's storage keeps a counter for each route and
 * knows no principal. Here one statement recognises the key and counts the call.
 */
@Injectable()
export class AdmissionGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly admission: AdmissionService,
    private readonly arrived: ArrivedBodies,
  ) {
    super(options, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    // A socket's key is checked as it connects, and its requests have another limit.
    if (context.getType() === 'ws') return true;
    const rules = rulesOf(context);
    const { isPublic, operation } = rules;
    if (isPublic) return true;
    if (!operation)
      throw new Error(
        `${context.getClass().name}.${context.getHandler().name} says neither @Access nor @Public`,
      );
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest & IdentifiedRequest>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string') throw new UnauthorizedError();
    const admitting = this.admission.admit(key, accessRuleOf(operation).counter);
    const cancel = this.arrived.parseMeanwhile(request, rules);
    const { principal, passed, limit, remaining, resetSeconds } = await admitting.finally(cancel);
    // Before any refusal, so that the log line of a 429 or 403 names the key too.
    request.principal = { ...principal, requestId: request.id };
    const response = http.getResponse<Response>();
    response.setHeader('RateLimit-Limit', limit);
    response.setHeader('RateLimit-Remaining', remaining);
    response.setHeader('RateLimit-Reset', resetSeconds);
    if (!passed) throw new RateLimitedError(limit, resetSeconds);
    requireMay(principal, operation);
    return true;
  }
}

/** The storage that the throttler requires. Nothing may be counted outside the admission statement. */
export class NoThrottlerStorage implements ThrottlerStorage {
  increment(): never {
    throw new Error('calls are counted by the admission statement only');
  }
}
