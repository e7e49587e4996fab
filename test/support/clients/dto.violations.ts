import { ValidationError } from '@app/contracts/validation.error';
import type { DtoClass } from '../../../apps/server/src/http/dto.fields';
import { DtoPipe } from '../../../apps/server/src/http/dto.pipe';

/** The paths of what is wrong with a body, as its class says. */
export function violationsOf(request: DtoClass, body: object): string[] {
  try {
    new DtoPipe().transform(body, { type: 'body', metatype: request });
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.details.map(({ path }) => path);
    throw error;
  }
}
