import { ValidationError } from '@app/contracts/validation.error';
import type { DtoClass } from '../http/dto.fields';
import { DtoPipe } from '../http/dto.pipe';
import { ChangeToolRequest, CreateToolRequest } from './assistant-tool.requests';
import { ChangeAssistantRequest, CreateAssistantRequest } from './assistant.requests';
import { ChangeStageRequest, CreateStageRequest } from './stage.requests';

/** The paths of what is wrong with a body. */
function pathsOf(request: DtoClass, body: object): string[] {
  try {
    new DtoPipe().transform(body, { type: 'body', metatype: request });
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.details.map(({ path }) => path);
    throw error;
  }
}

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
    expect([pathsOf(create, whole), pathsOf(change, {})]).toEqual([[], []]);
  });

  it.each(wrong)('is neither made of nor changed by %j', (body, path) => {
    expect([pathsOf(create, { ...whole, ...body }), pathsOf(change, body)]).toEqual([[path], [path]]);
  });
});

it('what a new one must have is named, all of it at once', () => {
  expect([pathsOf(CreateAssistantRequest, {}), pathsOf(CreateStageRequest, {})]).toEqual([
    ['name'],
    ['assistant_id', 'name', 'kind'],
  ]);
  expect(pathsOf(CreateToolRequest, {})).toEqual(Object.keys(TOOL));
});
