import { areModelOptions } from './model-options.rules';

it.each([
  [true, {}],
  [true, { temperature: 0.2, max_tokens: null, reasoning_effort: 'low', extra_body: { top_k: 5 } }],
  [false, { messages: [] }],
  [false, { stream: false }],
  [false, { tools: [] }],
  [false, { model: 'other' }],
  [false, { n: 3 }],
  [false, { Temperature: 1 }],
  [false, { __proto: 1 }],
  [false, JSON.parse('{"__proto__": {}}')],
  [false, { 'a b': 1 }],
  [false, { stop: 'x'.repeat(4_000) }],
  [false, Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`field_${index}`, 1]))],
  [false, []],
  [false, 'temperature'],
  [false, null],
])('knows what an agent may set of a request to a model: %s for %j', (may, value) => {
  expect(areModelOptions(value)).toBe(may);
});
