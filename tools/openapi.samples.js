/** Bodies by the examples of the OpenAPI document: for the collection of requests, and for tests. */

/** The value that Swagger UI fills in for a schema without an example. */
function sampleOf(schema, document) {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return sampleOf(document.components.schemas[name], document);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  // What may be null has null behind its type.
  const [type] = [schema.type].flat();
  if (type === 'array') return [sampleOf(schema.items, document)];
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([field, property]) => [field, sampleOf(property, document)]));
  }
  return { string: 'string', integer: 0, number: 0, boolean: true }[type];
}

/** Each body that an operation's page offers, by its name; undefined where there is none to send. */
exports.bodiesOf = (operation, document) => {
  const content = operation.requestBody?.content['application/json'];
  if (!content) return [['', undefined]];
  const examples = Object.entries(content.examples ?? {});
  if (examples.length === 0) return [['', sampleOf(content.schema, document)]];
  return examples.map(([name, { value }]) => [name, value]);
};

/** What an operation takes as a file. */
const MENU = { name: 'menu.txt', type: 'text/plain', content: 'Flat white 1,300\nCappuccino 1,200\n' };
const LEADS = { name: 'leads.csv', type: 'text/csv', content: 'phone,name\n+77055550042,Ержан\n' };
const FILES = { importLeads: LEADS };

/** Each field of an operation's form: its name, whether it is required, and the file or the text that stands for it. */
exports.formOf = ({ operationId, requestBody }, document) => {
  const { schema } = requestBody.content['multipart/form-data'];
  const { properties, required = [] } = schema.$ref
    ? document.components.schemas[schema.$ref.split('/').at(-1)]
    : schema;
  return Object.entries(properties).map(([name, field]) => ({
    ...{ name, required: required.includes(name) },
    ...(field.format === 'binary'
      ? { file: FILES[operationId] ?? MENU }
      : { text: String(sampleOf(field, document)) }),
  }));
};

/** What stands for a parameter of an operation, such as one of its path. */
exports.parameterOf = ({ example, schema }) => String(example ?? schema.example ?? schema.default ?? '');
