import { createConfig, lintFromString } from '@redocly/openapi-core';
import { request } from '../support/clients/api.client';
import { setScene } from '../support/scenes/base.scene';
import { expectSnapshotFile } from './snapshot.file';

describe('the OpenAPI document', () => {
  const scene = setScene();
  let text: string;

  beforeAll(async () => {
    text = (await request(`${scene.server.url}/openapi.json`)).text;
  });

  it('is the one in git', () => {
    expectSnapshotFile('openapi.json', `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  it('passes the linter', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // The document is served by whoever runs it.
        'no-server-example.com': 'off',
        'no-empty-servers': 'off',
        // Health needs no key, and says so.
        'operation-4xx-response': 'off',
      },
    });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)).toEqual([]);
  });

  it('gives every operation a summary, an answer with headers, and an example of each of its errors', () => {
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, any>> };
    const faults = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const where = `${method} ${path}`;
        const missing = operation.summary && operation.description ? [] : [`${where}: summary or description`];
        for (const [status, response] of Object.entries<any>(operation.responses)) {
          if (!response.headers?.['X-Request-Id']) missing.push(`${where} ${status}: X-Request-Id`);
          // What is not sent of a file has no body.
          if (status === '304' || status === '416') continue;
          // A file is bytes of any type; an export is lines.
          const { content = {} } = response;
          const { examples, schema } =
            content['application/json'] ?? content['*/*'] ?? content['application/x-ndjson'] ?? {};
          if (!schema) missing.push(`${where} ${status}: schema`);
          if (Number(status) >= 400 && !Object.keys(examples ?? {}).length) missing.push(`${where} ${status}: example`);
        }
        return missing;
      }),
    );
    expect(faults).toEqual([]);
  });

  it('tells of the provider’s answer, of when to try again and of what is replayed where the service does', () => {
    const { paths, components } = JSON.parse(text) as { paths: Record<string, any>; components: any };
    const send = paths['/api/v1/messages/send-template'].post.responses;
    const examples = send[502].content['application/json'].examples;
    expect(Object.keys(examples)).toEqual(['BILLING_ERROR', 'PROVIDER_ERROR']);
    for (const { value } of Object.values<any>(examples)) expect(value.provider_response.error.code).toBeGreaterThan(0);
    expect(components.schemas.Failure.properties).toHaveProperty('provider_response');
    for (const status of [409, 429, 502, 503]) expect(send[status].headers).toHaveProperty('Retry-After');
    expect(send[422].headers).not.toHaveProperty('Retry-After');
    for (const status of [200, 502]) expect(send[status].headers).toHaveProperty('Idempotent-Replayed');
    expect(send[429].headers).not.toHaveProperty('Idempotent-Replayed');
    expect(send[403].description).toContain('not attached to the bot');
    expect(send[404].description).toContain('There is no such bot.');
    const change = paths['/api/v1/leads/set-status'].post.responses;
    expect(change[409].headers).not.toHaveProperty('Retry-After');
    expect(change[403].description).not.toContain('bot');
  });

  it('fills in no field of a change that nobody chose: each has named bodies, without what takes power away', () => {
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, any>> };
    const changes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => method === 'patch' || method === 'put')
        .map(([method, operation]) => ({
          where: `${method} ${path}`,
          bodies: Object.values<any>(operation.requestBody.content['application/json'].examples ?? {}),
        })),
    );
    expect(changes.length).toBeGreaterThan(8);
    expect(changes.filter(({ bodies }) => bodies.length === 0).map(({ where }) => where)).toEqual([]);
    const grave = ['role', 'second_factor', 'disabled', 'assistant_ids', 'scopes', 'retention_days', 'media_quota_bytes'];
    const fields = changes.flatMap(({ bodies }) => bodies.flatMap(({ value }) => Object.keys(value)));
    expect(fields.filter((field) => grave.includes(field))).toEqual([]);
  });

  it('lists every operation under a thing that it tells of, those of admins apart from those of keys', () => {
    const { paths, tags } = JSON.parse(text) as {
      paths: Record<string, Record<string, { tags: string[] }>>;
      tags: { name: string; description: string }[];
    };
    const told = tags.map(({ name }) => name);
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ where: `${method} ${path}`, path, ...operation })),
    );
    const isRight = ({ path, tags: [tag = '', ...more] }: (typeof operations)[number]): boolean =>
      more.length === 0 && told.includes(tag) && tag.startsWith('Admin: ') === path.startsWith('/api/v1/admin/');
    expect(operations.filter((operation) => !isRight(operation)).map(({ where }) => where)).toEqual([]);
    const used = new Set(operations.flatMap((operation) => operation.tags));
    expect(told.filter((name) => !used.has(name))).toEqual([]);
  });
});
