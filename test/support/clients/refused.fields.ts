import { ValidationError } from '@app/contracts/coded.errors';
import { type DtoClass, DtoPipe } from '../../../apps/server/src/http/dto/dto-pipe';

const pipe = new DtoPipe();

/** A body as its operation gets it. */
export const taken = (dtoClass: DtoClass, body: unknown): object =>
  pipe.transform(body, { type: 'body', metatype: dtoClass }) as object;

/** With what a body is refused; null where it is taken. */
export function refusalOf(dtoClass: DtoClass, body: unknown): ValidationError | null {
  try {
    taken(dtoClass, body);
    return null;
  } catch (error) {
    if (error instanceof ValidationError) return error;
    throw error;
  }
}

/** The paths at which a body is refused; none where it is taken. */
export const refusedAt = (dtoClass: DtoClass, body: unknown): string[] =>
  refusalOf(dtoClass, body)?.details.map(({ path }) => path) ?? [];
