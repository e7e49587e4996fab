type Schema = Record<string, any>;

/** The value that Swagger UI fills in for a schema without an example. */
function sampleOf(schema: Schema, document: Schema): unknown {
  const name = (schema.$ref as string | undefined)?.split('/').at(-1);
  if (name !== undefined) return sampleOf(document.components.schemas[name], document);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'array') return [sampleOf(schema.items, document)];
  if (schema.type === 'object') {
    const fields = Object.entries<Schema>(schema.properties ?? {});
    return Object.fromEntries(fields.map(([field, property]) => [field, sampleOf(property, document)]));
  }
  return { string: 'string', integer: 0, number: 0, boolean: true }[schema.type as string];
}

/** Each body that the page offers, by its name; undefined where there is none to send. */
export function bodiesOf(operation: Schema, document: Schema): [name: string, body: unknown][] {
  const content: Schema | undefined = operation.requestBody?.content['application/json'];
  if (!content) return [['', undefined]];
  const examples = Object.entries<Schema>(content.examples ?? {});
  if (examples.length === 0) return [['', sampleOf(content.schema, document)]];
  return examples.map(([name, { value }]) => [name, value]);
}
