import { Principals } from '@app/domain/accounts/principals.service';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { AdmittedRequest } from '../auth/access.decorator';
import { ArrivedBodies, hasJsonBody, isWithoutBody, parseJsonBody } from './json-body';
import { BodyMemoryPool, readBody } from './body-reader';
import { rulesOf } from '../routes/route.rules';

/** A key is revoked everywhere within a second, so work that takes longer checks it again. */
const KEY_LOOKED_AT_MS = 500;
const BODY_LIMIT_BYTES = 1024 * 1024;
/** What a body of whoever has not been recognised, as at sign-in, may take without asking. */
const STRANGERS_FREE_BYTES = 16 * 1024;
/** What these bodies may take beyond it, all together. */
const STRANGERS_MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * Reads and parses the body once the caller is admitted. So a body's errors come after 401, 429 and 403, and of a caller
 * without a key no more is kept in memory than what came with the headers. Operations that anybody may call share a
 * bounded memory for large bodies, which keep no ordinary sign-in out.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  private readonly memory = new BodyMemoryPool(STRANGERS_MEMORY_BYTES, STRANGERS_MEMORY_BYTES);

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
    if (rules.mayLackBody && isWithoutBody(request.headers)) {
      request.body = {};
      return true;
    }
    request.body = this.arrived.take(request);
    if (request.body) return true;
    const begun = performance.now();
    const response = http.getResponse<Response>();
    const bytes = await readBody(request, response, {
      limitBytes: BODY_LIMIT_BYTES,
      ...(rules.isPublic && { mayKeep: this.mayKeepOfStranger(response) }),
    });
    const { principal } = request;
    // A slowly sent body must outlive neither its key nor what the key may see.
    if (principal && rules.operation && performance.now() - begun > KEY_LOOKED_AT_MS) {
      request.principal = await this.principals.requireStillActive(principal, rules.operation);
    }
    request.body = parseJsonBody(request.headers, bytes);
    return true;
  }

  private mayKeepOfStranger(response: Response): (bytes: number) => boolean {
    const memory = this.memory.open();
    response.once('close', () => memory.free());
    let size = 0;
    return (bytes) => (size += bytes) <= STRANGERS_FREE_BYTES || memory.grow(bytes);
  }
}
