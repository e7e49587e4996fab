import { ValidationError } from '@app/contracts/validation.error';
import { ApiKeysService } from '@app/domain/accounts/api-keys.service';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { AdmittedRequest } from './access.decorators';
import { readBody } from './body.reader';
import { JsonError } from './json.error';
import { rulesOf } from './route.rules';
import { parseStrictJson } from './strict-json.parser';

/** A key is revoked everywhere within a second, so work that takes longer checks it again. */
const KEY_LOOKED_AT_MS = 500;
const BODY_LIMIT_BYTES = 1024 * 1024;
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** No two runs of blanks may be adjacent: telling them apart would take quadratic time. */
const JSON_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*(?:"utf-8"|utf-8)[ \t]*(?:;[ \t]*)?)?)?$/i;

/**
 * Reads and parses the body once the caller is admitted. So a body's errors come after 401, 429 and 403, and no body
 * of a caller without a key is kept in memory.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  constructor(private readonly keys: ApiKeysService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // A socket's request arrives parsed.
    if (context.getType() === 'ws') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AdmittedRequest & { body?: unknown }>();
    if (!WITH_BODY.has(request.method) || rulesOf(context).takesRawBody) return true;
    const begun = performance.now();
    const bytes = await readBody(request, http.getResponse<Response>(), { limitBytes: BODY_LIMIT_BYTES });
    // A slowly sent body must not outlive its key.
    if (request.principal && performance.now() - begun > KEY_LOOKED_AT_MS) {
      await this.keys.requireStillActive(request.principal);
    }
    if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
      throw refusal('', 'the Content-Type must be application/json in UTF-8');
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw refusal('', 'a compressed body is not taken: send it without Content-Encoding');
    }
    let body: unknown;
    try {
      body = parseStrictJson(bytes);
    } catch (error) {
      if (error instanceof JsonError) throw refusal(error.path, error.message);
      throw error;
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refusal('', 'the body must be a JSON object');
    }
    request.body = body;
    return true;
  }
}

const refusal = (path: string, message: string): ValidationError => new ValidationError([{ path, message }]);
