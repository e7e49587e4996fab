import type { ToolDefinition } from '@app/persistence/assistants/assistant-tool.repository';
import { TOOL_DEFAULTS, violationsOfHeaders, violationsOfTool, violationsTogether } from './tool.rules';

const nested = (levels: number): object =>
  levels === 0 ? {} : { items: nested(levels - 1), ...(levels === 9 && { type: 'object' }) };

const withA = (a: unknown): object => ({ parameters: { type: 'object', properties: { a } } });

const pathsOf = (tool: object): string[] =>
  violationsOfTool(tool as Partial<ToolDefinition>, () => null).map(({ path }) => path);

it('a tool that says nothing wrong has no violation', () => {
  const parameters = {
    type: 'object',
    required: ['zone'],
    properties: { zone: { type: 'string', pattern: '^[a-z]+$' }, city: { enum: ['Алматы', 'Астана'] } },
  };
  expect(pathsOf({ name: 'find_stock', parameters, auto_fill: { to: 'phone' } })).toEqual([]);
  expect(pathsOf(TOOL_DEFAULTS)).toEqual([]);
});

it.each<[object, string]>([
  [{ name: 'Find_stock' }, 'name'],
  [{ name: '2nd' }, 'name'],
  [{ name: 'a-b' }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ name: 'move_lead' }, 'name'],
  [{ name: 'hand_over' }, 'name'],
  [{ url: `https://shop.example.com/${'x'.repeat(2_048)}` }, 'url'],
  [{ parameters: {} }, 'parameters.type'],
  [{ parameters: { type: 'array' } }, 'parameters.type'],
  [{ parameters: nested(9) }, 'parameters'],
  [{ parameters: { type: 'object', description: 'x'.repeat(16_385) } }, 'parameters'],
  [withA(1), 'parameters.properties.a'],
  [{ parameters: { type: 'object', properties: { 'a b': {} } } }, 'parameters.properties'],
  [withA({ type: 'text' }), 'parameters.properties.a.type'],
  [withA({ $ref: '#' }), 'parameters.properties.a.$ref'],
  [{ parameters: { type: 'object', required: ['a'] } }, 'parameters.required'],
  [withA({ enum: [{}] }), 'parameters.properties.a.enum'],
  [withA({ pattern: '(' }), 'parameters.properties.a.pattern'],
  [withA({ pattern: '(?=a)' }), 'parameters.properties.a.pattern'],
  [withA({ pattern: '(a){1000}'.repeat(9) }), 'parameters.properties.a.pattern'],
  [withA({ oneOf: {} }), 'parameters.properties.a.oneOf'],
  [withA({ anyOf: [{ type: 'text' }] }), 'parameters.properties.a.anyOf.0.type'],
  [withA({ additionalProperties: 1 }), 'parameters.properties.a.additionalProperties'],
  [withA({ minimum: '1' }), 'parameters.properties.a.minimum'],
  [{ auto_fill: { a: 'account_id' } }, 'auto_fill.a'],
  [{ auto_fill: { a: 5 } }, 'auto_fill.a'],
  [{ auto_fill: { 'a b': 'phone' } }, 'auto_fill'],
])('a tool is not %j', (tool, path) => {
  expect(pathsOf(tool)).toEqual([path]);
});

it('an address that is not called is a violation, in the words of whoever calls', () => {
  expect(violationsOfTool({ url: 'http://a.example.com/' }, () => 'must be https')).toEqual([
    { path: 'url', message: 'must be https' },
  ]);
});

it.each<[Record<string, unknown>, string]>([
  [{ Host: 'inner' }, 'headers.Host'],
  [{ 'transfer-encoding': 'chunked' }, 'headers.transfer-encoding'],
  [{ 'X-A': 'a\r\nX-B: b' }, 'headers.X-A'],
  [{ 'X-A': 5 }, 'headers.X-A'],
  [{ 'X-A': 'x'.repeat(4_097) }, 'headers.X-A'],
  [{ 'X A': 'a' }, 'headers'],
  [{ 'X-A': 'a', 'x-a': 'b' }, 'headers'],
  [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'v'])), 'headers'],
])('headers are not %j', (headers, path) => {
  expect(violationsOfHeaders(headers).map((violation) => violation.path)).toEqual([path]);
  expect(violationsOfHeaders({ Authorization: 'Bearer 4f1c' })).toEqual([]);
});

it('an argument is not given by both the model and the service, nor by the address too', () => {
  const tool: ToolDefinition = {
    ...TOOL_DEFAULTS,
    name: 'find_stock',
    description: 'In stock',
    method: 'POST',
    url: 'https://shop.example.com/stock?shop=7',
  };
  const parameters = { type: 'object', properties: { city: {}, shop: {} } };
  const both = { ...tool, parameters, auto_fill: { city: 'phone' as const } };
  expect(violationsTogether(both).map(({ path }) => path)).toEqual(['auto_fill.city']);
  // Only in the address may an argument stand that the body has too.
  expect(violationsTogether({ ...tool, parameters })).toEqual([]);
  expect(violationsTogether({ ...tool, parameters, method: 'GET' }).map(({ path }) => path)).toEqual(['url']);
});
