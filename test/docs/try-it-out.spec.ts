import { request } from '../support/clients/api.client';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';

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
function bodiesOf(operation: Schema, document: Schema): [name: string, body: unknown][] {
  const content: Schema | undefined = operation.requestBody?.content['application/json'];
  if (!content) return [['', undefined]];
  const examples = Object.entries<Schema>(content.examples ?? {});
  if (examples.length === 0) return [['', sampleOf(content.schema, document)]];
  return examples.map(([name, { value }]) => [name, value]);
}

describe('"Try it out" in the demo', () => {
  let dataDir: string;
  let demo: DemoProcess;

  beforeAll(async () => {
    dataDir = makeDataDir();
    demo = await DemoProcess.start(dataDir);
  });

  afterAll(async () => {
    await demo?.ended('SIGTERM');
    removeDataDir(dataDir);
  });

  it('succeeds for every operation with what the page fills in by itself', async () => {
    const { base_url, api_keys, admin_key } = demo.file();
    const keys: Record<string, string | undefined> = { ApiKey: api_keys[0]?.key, AdminKey: admin_key };
    const page = await request(`${base_url}/docs/start.js`);
    for (const key of Object.values(keys)) expect(page.text).toContain(JSON.stringify(key));
    const { body: document } = (await request(`${base_url}/openapi.json`)) as unknown as { body: Schema };
    const answers: Record<string, number> = {};
    for (const [path, operations] of Object.entries<Schema>(document.paths)) {
      for (const [method, operation] of Object.entries<Schema>(operations)) {
        const parameters = (operation.parameters ?? []) as Schema[];
        const filled = parameters
          .filter((parameter) => parameter.in === 'path')
          .reduce(
            (at, { name, example, schema }) => at.replace(`{${name}}`, example ?? schema.example),
            path,
          );
        const [scheme] = Object.keys(operation.security?.[0] ?? {});
        for (const [name, body] of bodiesOf(operation, document)) {
          const { status } = await request(base_url + filled, {
            method: method.toUpperCase(),
            headers: {
              ...(scheme && { 'X-API-Key': keys[scheme] ?? '' }),
              ...(body !== undefined && { 'Content-Type': 'application/json' }),
            },
            body: body === undefined ? undefined : JSON.stringify(body),
          });
          answers[`${method} ${path} ${name}`.trim()] = status;
        }
      }
    }
    const failed = Object.entries(answers).filter(([, status]) => status >= 300);
    expect(failed).toEqual([]);
    expect(Object.keys(answers).length).toBeGreaterThan(10);
  });
});
