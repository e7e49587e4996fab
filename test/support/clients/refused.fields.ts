import { ValidationError } from '@app/contracts/validation.errors';
import type { DtoClass } from '../../../apps/server/src/http/dto/dto-fields';
import { DtoPipe } from '../../../apps/server/src/http/dto/dto-pipe';

const pipe = new DtoPipe();

/** A body as its operation gets it. */
export const taken = (dtoClass: DtoClass, body: unknown): object =>
  pipe.transform(body, { type: 'body', metatype: dtoClass }) as object;

/** The paths at which a body is refused; none where it is taken. */
export function refusedAt(dtoClass: DtoClass, body: unknown): string[] {
  try {
    taken(dtoClass, body);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.details.map(({ path }) => path);
    throw error;
  }
}
