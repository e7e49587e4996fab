import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.document';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, object>;
}

const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'test/snapshots/openapi.json'), 'utf8')) as {
  paths: Record<string, { post?: Operation }>;
  components: { schemas: Record<string, Schema> };
};

/** Whether a dialog is named anywhere in a body. */
function namesDialog({ $ref, properties = {}, items, ...schema }: Schema): boolean {
  if ($ref) return namesDialog(components.schemas[$ref.replace(/.*\//, '')] ?? {});
  if ('thread_id' in properties || 'thread_ids' in properties) return true;
  const parts = [schema.oneOf, schema.anyOf, schema.allOf, Object.values(properties)].flatMap(
    (each) => each ?? [],
  );
  return [...parts, ...(items ? [items] : [])].some(namesDialog);
}

const OF_DIALOGS = Object.entries(paths).flatMap(([path, { post }]) => {
  const bodies = Object.values(post?.requestBody?.content ?? {});
  return post && bodies.some(({ schema }) => namesDialog(schema)) ? [[path, post] as const] : [];
});

const without = (code: string): string[] =>
  OF_DIALOGS.filter(([, { responses }]) => !JSON.stringify(responses).includes(`"${code}"`)).map(([path]) =>
    path.replace(/^\/api\/v1\//, ''),
  );

it('each operation that takes a dialog says that there may be none, but for the one that answers by item', () => {
  expect(OF_DIALOGS.length).toBeGreaterThan(15);
  expect(without('THREAD_NOT_FOUND')).toEqual(['leads/set-status-bulk']);
});

it('each says that its customer may be erased, but for those that read, move a card, or leave erased dialogs out', () => {
  expect(without('THREAD_ERASED')).toEqual([
    ...['leads/get-lead', 'leads/set-status', 'leads/set-status-bulk', 'leads/get-history'],
    ...['messages/get-threads', 'messages/get-messages', 'leads/export'],
    ...['admin/scenarios/{id}/start', 'admin/scenarios/{id}/try'],
  ]);
});

it('importing names the reason of a file whose encoding cannot be told', () => {
  expect(JSON.stringify(paths['/api/v1/leads/import']?.post?.responses)).toContain('`not_sure`');
});
