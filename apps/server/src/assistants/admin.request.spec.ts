import { refusedAt } from '../../../../test/support/clients/refused.fields';
import type { DtoClass } from '../http/dto/dto-pipe';
import { ChangeToolRequest, CreateToolRequest } from './assistant-tool.request';
import { TryAssistantRequest, ChangeAssistantRequest, CreateAssistantRequest } from './assistant.request';
import { ChangeStageRequest, CreateStageRequest } from './stage.request';

const AGENT = { name: 'Agent', account_id: 'a' };
const STAGE = { assistant_id: 'a', name: 'Paid', kind: 'success' };
const TOOL = {
  name: 'find_stock',
  description: 'In stock',
  method: 'POST',
  url: 'https://shop.example.com/stock',
};

describe.each<[string, DtoClass, DtoClass, object, [object, string][]]>([
  [
    'an agent',
    CreateAssistantRequest,
    ChangeAssistantRequest,
    AGENT,
    [
      [{ name: null }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ instructions: null }, 'instructions'],
      [{ instructions: 'x'.repeat(20_001) }, 'instructions'],
      [{ instructions: ['x'] }, 'instructions'],
      [{ model: '' }, 'model'],
      [{ model: 5 }, 'model'],
      [{ reply_delay_ms: -1 }, 'reply_delay_ms'],
      [{ reply_delay_ms: 600_001 }, 'reply_delay_ms'],
      [{ reply_delay_ms: '5000' }, 'reply_delay_ms'],
      [{ reply_parts_max: 0 }, 'reply_parts_max'],
      [{ reply_parts_max: 11 }, 'reply_parts_max'],
      [{ reply_parts_max: null }, 'reply_parts_max'],
      [{ reply_characters_max: 1.5 }, 'reply_characters_max'],
      [{ reply_characters_max: 20_001 }, 'reply_characters_max'],
      [{ replies_per_hour: 1_001 }, 'replies_per_hour'],
      [{ replies_per_hour: true }, 'replies_per_hour'],
      [{ barred_kinds: null }, 'barred_kinds'],
      [{ barred_kinds: ['won'] }, 'barred_kinds'],
      [{ barred_kinds: ['success', 'success'] }, 'barred_kinds'],
      [{ barred_kinds: 'success' }, 'barred_kinds'],
      [{ model_options: { messages: [] } }, 'model_options'],
      [{ model_options: 'hot' }, 'model_options'],
      [{ handover_text: '' }, 'handover_text'],
      [{ handover_text: 'x'.repeat(4_097) }, 'handover_text'],
      [{ auto_return_minutes: 0 }, 'auto_return_minutes'],
      [{ auto_return_minutes: 10_081 }, 'auto_return_minutes'],
      [{ auto_return_minutes: null }, 'auto_return_minutes'],
    ],
  ],
  [
    'a stage',
    CreateStageRequest,
    ChangeStageRequest,
    STAGE,
    [
      [{ name: null }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ kind: 'won' }, 'kind'],
      [{ kind: null }, 'kind'],
      [{ order: -1 }, 'order'],
      [{ order: 10_001 }, 'order'],
      [{ order: 1.5 }, 'order'],
      [{ order: '1' }, 'order'],
      [{ order: null }, 'order'],
      [{ description: '' }, 'description'],
      [{ description: 'x'.repeat(1_001) }, 'description'],
      [{ description: 5 }, 'description'],
      [{ ai_enabled: 'true' }, 'ai_enabled'],
      [{ ai_enabled: null }, 'ai_enabled'],
      [{ ai_transition_locked: 1 }, 'ai_transition_locked'],
      [{ on_enter: 'AI' }, 'on_enter'],
      [{ on_enter: '' }, 'on_enter'],
    ],
  ],
  [
    'a tool',
    CreateToolRequest,
    ChangeToolRequest,
    TOOL,
    [
      [{ name: 7 }, 'name'],
      [{ description: ' ' }, 'description'],
      [{ description: 'x'.repeat(1_025) }, 'description'],
      [{ method: 'get' }, 'method'],
      [{ method: 'HEAD' }, 'method'],
      [{ url: '' }, 'url'],
      [{ parameters: null }, 'parameters'],
      [{ parameters: [] }, 'parameters'],
      [{ auto_fill: null }, 'auto_fill'],
      [{ auto_fill: ['phone'] }, 'auto_fill'],
      [{ headers: [] }, 'headers'],
      [{ headers: null }, 'headers'],
      [{ timeout_ms: 999 }, 'timeout_ms'],
      [{ timeout_ms: 30_001 }, 'timeout_ms'],
      [{ timeout_ms: null }, 'timeout_ms'],
      [{ enabled: 'true' }, 'enabled'],
      [{ enabled: null }, 'enabled'],
    ],
  ],
])('%s', (_, create, change, whole, wrong) => {
  it('may be made of its whole, and changed by nothing', () => {
    expect([refusedAt(create, whole), refusedAt(change, {})]).toEqual([[], []]);
  });

  it.each(wrong)('is neither made of nor changed by %j', (body, path) => {
    expect([refusedAt(create, { ...whole, ...body }), refusedAt(change, body)]).toEqual([[path], [path]]);
  });
});

it('what a new one must have is named, all of it at once', () => {
  expect([refusedAt(CreateAssistantRequest, {}), refusedAt(CreateStageRequest, {})]).toEqual([
    ['name'],
    ['assistant_id', 'name', 'kind'],
  ]);
  expect(refusedAt(CreateToolRequest, {})).toEqual(Object.keys(TOOL));
});

describe('a try-out is refused', () => {
  const OK = { role: 'USER', text: 'Hi' };

  it.each<[string, unknown, string[]]>([
    ['no messages', undefined, ['messages']],
    ['null', null, ['messages']],
    ['a text', 'Hi', ['messages']],
    ['none', [], ['messages']],
    ['more than forty', Array(41).fill(OK), ['messages']],
    ['an unknown role', [{ role: 'robot', text: 'Hi' }], ['messages[0].role']],
    ['an empty text', [{ role: 'USER', text: ' ' }], ['messages[0].text']],
    ['a long text', [{ role: 'USER', text: 'x'.repeat(4_097) }], ['messages[0].text']],
    ['a number', [{ role: 'USER', text: 5 }], ['messages[0].text']],
    ['null as a message', [null], ['messages[0]']],
    ['the agent last', [OK, { role: 'AI', text: 'Hi' }], ['messages[1].role']],
  ])('with %s', (_, messages, paths) => {
    expect(refusedAt(TryAssistantRequest, { messages })).toEqual(paths);
  });
});
