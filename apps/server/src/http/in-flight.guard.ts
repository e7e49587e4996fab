import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { AdmittedRequest } from './access.decorators';
import { InFlightLimiter } from './in-flight.limiter';

/** Last before the work: a call that is still sending its body takes nobody's place. */
@Injectable()
export class InFlightGuard implements CanActivate {
  constructor(private readonly limiter: InFlightLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const principal = context.getType() === 'http' ? http.getRequest<AdmittedRequest>().principal : undefined;
    if (principal)
      await this.limiter.enter(principal.accountId ?? principal.keyId, http.getResponse<Response>());
    return true;
  }
}
