import { demoId } from '@app/contracts/demo-ids';
import { TOOL_FACTS, TOOL_METHODS, type ToolFact, type ToolMethod } from '@app/contracts/tool.words';
import { ApiProperty } from '../http/docs/openapi.decorator';

const EXAMPLE_PARAMETERS = {
  type: 'object',
  properties: {
    machine: { type: 'string', description: 'Name of the machine, as the customer wrote it', maxLength: 100 },
    count: { type: 'integer', minimum: 1 },
  },
  required: ['machine'],
};

const EXAMPLE_AUTO_FILL = { customer: 'phone' };

/** Bodies that work in the demo as they are. */
export const CREATE_TOOL_EXAMPLES = {
  'a question by GET': {
    value: {
      name: 'find_price',
      description: 'What a machine costs today, in tenge. Call it before you name a price.',
      method: 'GET',
      url: 'https://shop.example.com/prices',
      parameters: EXAMPLE_PARAMETERS,
    },
  },
  'a deed by POST, with a secret': {
    value: {
      name: 'book_visit',
      description: 'Books a visit to the showroom. Call it once the customer has named a day.',
      method: 'POST',
      url: 'https://shop.example.com/visits',
      parameters: {
        type: 'object',
        properties: { day: { type: 'string', description: 'Such as 2026-12-01' } },
        required: ['day'],
      },
      auto_fill: { phone: 'phone', name: 'customer_name', dialog: 'thread_id' },
      headers: { Authorization: 'Bearer 4f1c9be27d60a8352e9b7c14' },
      timeout_ms: 5_000,
    },
  },
};

export const CHANGE_TOOL_EXAMPLES = {
  'switched off': { value: { enabled: false } },
  'with another secret': { value: { headers: { Authorization: 'Bearer 0b7e02d84f6a35c0e2971fb6' } } },
};

/** What each field means, for the answer and the requests. */
export const TOOL_MEANING = {
  name: 'By which the model calls it: `^[a-z_][a-z0-9_]{0,63}$`; `move_lead` and `hand_over` are taken',
  description: 'What the model is told of when to call it and what it gives',
  method: 'With GET and DELETE the arguments go into the address, else into the body, as JSON',
  url: 'An https address that is reachable from everywhere; redirects are not followed',
  parameters:
    'The JSON schema of the arguments, an object: at most 16 KiB and 8 levels, without $ref. Types, required fields, listed values and bounds are held to; other keywords are for the model alone',
  auto_fill: `Arguments that are filled in of the dialog, and never by the model, by their names: ${TOOL_FACTS.join(', ')}`,
  timeout_ms: 'Longest wait for a whole answer',
  enabled: 'Whether the model is told of it',
};

const RECORD = { type: 'object' as const, additionalProperties: true };

export const PARAMETERS = { ...RECORD, description: TOOL_MEANING.parameters, example: EXAMPLE_PARAMETERS };

export const AUTO_FILL = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, enum: [...TOOL_FACTS] },
  description: TOOL_MEANING.auto_fill,
  example: EXAMPLE_AUTO_FILL,
};

export class ToolAnswer {
  @ApiProperty({ example: demoId('tool', 1) })
  id: string;

  @ApiProperty({ example: demoId('assistant', 1) })
  assistant_id: string;

  @ApiProperty({ description: TOOL_MEANING.name, example: 'find_stock' })
  name: string;

  @ApiProperty({ description: TOOL_MEANING.description, example: 'How many of a machine are in stock.' })
  description: string;

  @ApiProperty({ enum: TOOL_METHODS, description: TOOL_MEANING.method, example: 'GET' })
  method: ToolMethod;

  @ApiProperty({ description: TOOL_MEANING.url, example: 'https://shop.example.com/stock' })
  url: string;

  @ApiProperty(PARAMETERS)
  parameters: Record<string, unknown>;

  @ApiProperty(AUTO_FILL)
  auto_fill: Record<string, ToolFact>;

  @ApiProperty({
    type: [String],
    description: 'Names of the headers that are sent; their values are kept encrypted and never shown',
    example: ['Authorization'],
  })
  header_names: string[];

  @ApiProperty({ type: 'integer', description: TOOL_MEANING.timeout_ms, example: 10_000 })
  timeout_ms: number;

  @ApiProperty({ description: TOOL_MEANING.enabled, example: true })
  enabled: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  created_at: string;
}

export class ToolListAnswer {
  @ApiProperty({ type: [ToolAnswer] })
  tools: ToolAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
