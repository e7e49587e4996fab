import { Principals } from '@app/domain/accounts/principals.service';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { AdmittedRequest } from './access.decorators';
import { ArrivedBodies } from './arrived.bodies';
import { readBody } from './body.reader';
import { hasJsonBody, isWithoutBody, parseJsonBody } from './json.body';
import { rulesOf } from './route.rules';

/** A key is revoked everywhere within a second, so work that takes longer checks it again. */
const KEY_LOOKED_AT_MS = 500;
const BODY_LIMIT_BYTES = 1024 * 1024;
/** Of whoever has not been recognised, as at sign-in. */
const STRANGERS_LIMIT_BYTES = 16 * 1024;

/**
 * Reads and parses the body once the caller is admitted. So a body's errors come after 401, 429 and 403, and of a caller
 * without a key no more is kept in memory than what came with the headers.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(
    private readonly principals: Principals,
    private readonly arrived: ArrivedBodies,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // A socket's request arrives parsed.
    if (context.getType() === 'ws') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest & { body?: unknown }>();
    const rules = rulesOf(context);
    if (!hasJsonBody(request.method, rules)) return true;
    // What takes no fields may be asked without a body, such as the stop of a scenario's runs.
    if (!rules.bodyType && isWithoutBody(request.headers)) return true;
    request.body = this.arrived.take(request);
    if (request.body) return true;
    const begun = performance.now();
    const bytes = await readBody(request, http.getResponse<Response>(), {
      limitBytes: rules.isPublic ? STRANGERS_LIMIT_BYTES : BODY_LIMIT_BYTES,
    });
    // A slowly sent body must not outlive its key.
    if (request.principal && performance.now() - begun > KEY_LOOKED_AT_MS) {
      await this.principals.requireStillActive(request.principal);
    }
    request.body = parseJsonBody(request.headers, bytes);
    return true;
  }
}
