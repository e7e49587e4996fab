import { demoId } from '@app/contracts/demo-ids';
import { formatThreadId } from '@app/contracts/uuid.format';
import type * as Swagger from '@nestjs/swagger';

/** The ids in the documentation's examples. They exist in the demo. */
export const EXAMPLE_THREAD_ID = formatThreadId(demoId('thread', 1));
/** No page and no other example names it, so that they still work after it was erased. */
export const EXAMPLE_ERASED_THREAD_ID = formatThreadId(demoId('thread', 29));
export const EXAMPLE_ASSISTANT_ID = demoId('assistant', 1);
export const EXAMPLE_STATUS_ID = demoId('status', 2);

/** Of a call. */
export const EXAMPLE_REQUEST_ID = '01930000-0000-7000-8000-00000000abcd';

// The decorators of @nestjs/swagger, under their names. They are applied only when the OpenAPI document is asked for,
// because the library and its dependencies are 500 of the 3,000 modules that a start would load.

type Library = typeof Swagger;

const waiting: ((library: Library) => void)[] = [];

/** A decorator that is applied once the document is asked for. */
export function documentedLater<T extends (...target: never[]) => unknown>(
  decorator: (library: Library) => T,
): T {
  const keep = (...target: Parameters<T>): void => {
    waiting.push((library) => void decorator(library)(...target));
  };
  return keep as T;
}

/** Applies all decorators, in the order in which they were written; those of modules loaded later, the next time. */
export function applyDocumentation(library: Library): void {
  for (const apply of waiting.splice(0)) apply(library);
}

export const ApiBody = (...options: Parameters<Library['ApiBody']>) =>
  documentedLater((library) => library.ApiBody(...options));

export const ApiConsumes = (...types: Parameters<Library['ApiConsumes']>) =>
  documentedLater((library) => library.ApiConsumes(...types));

export const ApiExcludeController = (): ClassDecorator =>
  documentedLater((library) => library.ApiExcludeController());

export const ApiExtraModels = (...models: Parameters<Library['ApiExtraModels']>) =>
  documentedLater((library) => library.ApiExtraModels(...models));

export const ApiHeader = (...options: Parameters<Library['ApiHeader']>) =>
  documentedLater((library) => library.ApiHeader(...options));

export const ApiQuery = (...options: Parameters<Library['ApiQuery']>) =>
  documentedLater((library) => library.ApiQuery(...options));
export const ApiParam = (...options: Parameters<Library['ApiParam']>) =>
  documentedLater((library) => library.ApiParam(...options));

export const ApiProperty = (...options: Parameters<Library['ApiProperty']>) =>
  documentedLater((library) => library.ApiProperty(...options));

export const ApiPropertyOptional = (...options: Parameters<Library['ApiPropertyOptional']>) =>
  documentedLater((library) => library.ApiPropertyOptional(...options));

export const ApiTags = (...tags: Parameters<Library['ApiTags']>) =>
  documentedLater((library) => library.ApiTags(...tags));

/** Where the document describes a class. */
export const schemaOf = ({ name }: { name: string }): { $ref: string } => ({
  $ref: `#/components/schemas/${name}`,
});
