type Schema = Record<string, any>;

export interface Operation {
  method: string;
  /** As the document writes it, with parameters as `{id}`. */
  path: string;
  /** Names of its parameters behind the path. */
  query: string[];
  /** The schema of the body, its references followed; null when there is none. */
  body: Schema | null;
  needsBody: boolean;
  /** The ways to call it: each the credentials that it needs together. */
  ways: Record<string, unknown>[];
  /** Its name in the table of operations; null where anybody may call it. */
  name: string | null;
}

/** Every operation that the application documents. */
export function operationsOf(document: Schema): Operation[] {
  return Object.entries(document.paths as Schema).flatMap(([path, methods]) =>
    Object.entries(methods as Schema).map(([method, operation]) => {
      const requestBody = (operation as Schema).requestBody as Schema | undefined;
      const schema = requestBody?.content?.['application/json']?.schema as Schema | undefined;
      return {
        method: method.toUpperCase(),
        path,
        query: (((operation as Schema).parameters ?? []) as Schema[])
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => String(name)),
        body: schema ? resolved(schema, document) : null,
        needsBody: requestBody?.required === true,
        ways: ((operation as Schema).security ?? []) as Record<string, unknown>[],
        name: ((operation as Schema)['x-operation'] as string | undefined) ?? null,
      };
    }),
  );
}

function resolved(schema: Schema, document: Schema): Schema {
  const name = (schema.$ref as string | undefined)?.split('/').at(-1);
  const found = (name === undefined ? schema : document.components.schemas[name]) as Schema;
  const { properties, items, oneOf } = found as {
    properties?: Record<string, Schema>;
    items?: Schema;
    oneOf?: Schema[];
  };
  const fields = Object.entries(properties ?? {}).map(([field, property]) => [
    field,
    resolved(property, document),
  ]);
  return {
    ...(found as object),
    ...(properties && { properties: Object.fromEntries(fields) as Schema }),
    ...(items && { items: resolved(items, document) }),
    ...(oneOf && { oneOf: oneOf.map((one) => resolved(one, document)) }),
  };
}

/** Names of fields that hold identifiers. Two are told by what they mean. */
const NAMES_A_THING = /(^|_)ids?$|^up_to$|^around$/;

/** The fields of a body that hold identifiers, such as `id`, `thread_id` and `items.thread_id`. */
export function idFieldsOf({ body }: Operation): string[] {
  return Object.entries((body?.properties ?? {}) as Schema).flatMap(([field, property]) => [
    ...(NAMES_A_THING.test(field) ? [field] : []),
    ...Object.keys((property as Schema).items?.properties ?? {})
      .filter((inner) => NAMES_A_THING.test(inner))
      .map((inner) => `${field}.${inner}`),
  ]);
}
