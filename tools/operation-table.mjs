/**
 * The table of the operations, from the OpenAPI document: by it the command line knows what may be called, what each call
 * takes, and what its help says.
 */
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Every call has it; it is an option of the client itself. */
const REQUEST_ID = 'X-Request-Id';

/** The first sentence, on one line. */
const sentence = (text = '') =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .match(/^.*?[.:;](?= |$)|^.*$/)?.[0] ?? '';

function resolved(schema, document) {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name];
}

/** What it is where it is not null, and whether it may be: OpenAPI 3.1 has both in its type. */
function typeOf({ type }) {
  const types = [type].flat();
  const [only, ...others] = types.filter((each) => each !== 'null');
  return { type: others.length === 0 ? only : undefined, nullable: types.includes('null') };
}

/** What a value on a command line is turned into; `json`: what is JSON as that, all else as text. */
function kindOf(schema) {
  const { format, items } = schema;
  const { type } = typeOf(schema);
  if (format === 'binary') return 'file';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  return type === 'array' && items?.type === 'string' ? 'strings' : 'json';
}

const fieldOf = (name, place, schema, required, description) => ({
  name,
  in: place,
  kind: kindOf(schema),
  ...(required && { required: true }),
  ...(typeOf(schema).nullable && { nullable: true }),
  ...(typeOf(schema).type === 'string' &&
    schema.enum && { words: schema.enum.filter((word) => word !== null) }),
  about: sentence(description ?? schema.description),
});

function bodyFieldsOf(content, document) {
  const schema = resolved(
    (content?.['application/json'] ?? content?.['multipart/form-data'])?.schema,
    document,
  );
  return Object.entries(schema?.properties ?? {}).map(([name, property]) =>
    fieldOf(name, 'body', property, schema.required?.includes(name)),
  );
}

function entryOf(method, path, operation, document) {
  const content = operation.requestBody?.content;
  const done = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
  const fields = [
    ...(operation.parameters ?? [])
      .filter(({ name }) => name !== REQUEST_ID)
      .map(({ name, in: place, schema, required, description }) =>
        fieldOf(name, place, schema, required, description),
      ),
    ...bodyFieldsOf(content, document),
  ];
  const names = fields.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, n) => names.indexOf(name) < n);
  if (twice) throw new Error(`${operation.operationId} has two fields ${twice}: which does --${twice} mean?`);
  return {
    id: operation.operationId,
    method,
    path,
    group: operation.tags?.[0] ?? '',
    summary: operation.summary ?? sentence(operation.description),
    by: (operation.security ?? []).map((way) => Object.keys(way)[0]),
    body: content ? (content['multipart/form-data'] ? 'form' : 'json') : 'none',
    answer: done?.content?.['application/json'] ? 'data' : 'file',
    fields,
  };
}

/** The source of libs/client's table. @throws where an id, or a field of an operation, is not the only one of its name */
export function operationTable(document) {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) =>
      entryOf(method, path, methods[method], document),
    ),
  );
  const ids = entries.map(({ id }) => id);
  const twice = ids.find((id, n) => ids.indexOf(id) < n);
  if (twice) throw new Error(`Two operations are named ${twice}`);
  return `import type { Operation } from './api-calls';

/** Every operation of the service. */
export const OPERATIONS: readonly Operation[] = ${JSON.stringify(entries)};
`;
}
