import { RateLimitedError, UnauthorizedError } from '@app/domain/accounts/account.errors';
import { accessRuleOf, type Operation } from '@app/domain/accounts/access-table';
import { AdmissionService, type Admission } from '@app/domain/accounts/keys/admission.service';
import { isPerson, requireMay } from '@app/domain/accounts/principal.rules';
import { CrossSiteError } from '@app/domain/accounts/people/people.errors';
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
import type { AdmittedRequest } from './access.decorator';
import { ArrivedBodies } from '../body/json-body';
import { addressOf } from './caller-network';
import { OriginRule } from './origin.rules';
import type { IdentifiedRequest } from '../routes/request-id-middleware';
import { rulesOf } from '../routes/route.rules';
import { isSameSecret } from './secret-comparison';
import { SessionCookie } from './session-cookie';

/**
 * Checks who calls (a key, or a person's session), the rate, for a session that changes something also Origin and CSRF
 * token, and what the caller may do: in this order and only here. The throttler's storage keeps a counter for each route
 * and knows no principal. Here one statement recognises the caller and counts the call.
 */
@Injectable()
export class AdmissionGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly admission: AdmissionService,
    private readonly arrived: ArrivedBodies,
    private readonly cookie: SessionCookie,
    private readonly origins: OriginRule,
  ) {
    super(options, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    // A socket's key is checked as it connects, and its requests have another limit.
    if (context.getType() === 'ws') return true;
    const rules = rulesOf(context);
    const { isPublic, isOfOwnPages, operation } = rules;
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest & IdentifiedRequest>();
    request.operation = operation ?? (isOfOwnPages ? `${request.method} ${request.path}` : undefined);
    if (isOfOwnPages) {
      this.requireNotBoth(request);
      this.origins.requireOwn(request.headers);
    }
    if (isPublic) return true;
    if (!operation)
      throw new Error(
        `${context.getClass().name}.${context.getHandler().name} says neither @Access nor @Public`,
      );
    const token = this.sessionOf(request);
    const admitting = this.admit(request, operation, token);
    const cancel = this.arrived.parseMeanwhile(request, rules);
    const { principal, passed, limit, remaining, resetSeconds } = await admitting.finally(cancel);
    // Before any refusal, so that the log line of a 429 or 403 names the key too.
    request.principal = { ...principal, requestId: request.id, ip: addressOf(request) };
    const response = http.getResponse<Response>();
    response.setHeader('RateLimit-Limit', limit);
    response.setHeader('RateLimit-Remaining', remaining);
    response.setHeader('RateLimit-Reset', resetSeconds);
    if (!passed) throw new RateLimitedError(limit, resetSeconds);
    if (isPerson(principal)) this.requireOwnPage(request);
    requireMay(principal, operation);
    return true;
  }

  /** A call with a session and a key shows nobody. */
  private requireNotBoth({ headers }: AdmittedRequest): void {
    if (headers['x-api-key'] !== undefined && this.cookie.isGiven(headers)) throw new UnauthorizedError();
  }

  /** The id of the session that calls; null where a key does. */
  private sessionOf(request: AdmittedRequest): string | null {
    this.requireNotBoth(request);
    if (!this.cookie.isGiven(request.headers)) return null;
    const token = this.cookie.tokenOf(request.headers);
    if (token === null) throw new UnauthorizedError();
    return token;
  }

  private admit(
    { headers }: AdmittedRequest,
    operation: Operation,
    token: string | null,
  ): Promise<Admission> {
    if (token !== null) return this.admission.admitSession(token);
    const key = headers['x-api-key'];
    if (typeof key !== 'string') throw new UnauthorizedError();
    return this.admission.admit(key, accessRuleOf(operation).counter);
  }

  /**
   * Browsers send the cookie with calls that other sites make, so a change needs what only a page of this service
   * knows.
   */
  private requireOwnPage({ method, headers }: AdmittedRequest): void {
    if (method === 'GET' || method === 'HEAD') return;
    this.origins.requireOwn(headers);
    const csrfToken = this.cookie.csrfTokenOf(headers);
    if (csrfToken === null || !isSameSecret(headers['x-csrf-token'], csrfToken))
      throw new CrossSiteError('token');
  }
}

/** The storage that the throttler requires. Nothing may be counted outside the admission statement. */
export class NoThrottlerStorage implements ThrottlerStorage {
  increment(): never {
    throw new Error('calls are counted by the admission statement only');
  }
}
