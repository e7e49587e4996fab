import { CHANNELS, PHONE_REQUEST_LENGTH_MAX } from '@app/contracts/message.words';
import {
  CONDITION_FACTS,
  HTTP_METHODS,
  ON_FAILURE,
  SCENARIO_LIMITS,
  type StepKind,
} from '@app/contracts/scenario.words';
import { URL_LONGEST } from '@app/contracts/tool.words';
import {
  ApiProperty,
  ApiPropertyOptional,
  schemaOf,
  EXAMPLE_STATUS_ID,
} from '../http/docs/openapi.decorator';

const VARIABLES =
  'May have variables: `{{lead.name}}`, `{{lead.phone}}`, `{{status.name}}`, `{{assistant.name}}`, `{{date}}`, `{{time}}`, each with an optional fallback such as `{{lead.name|friend}}`.';
const MAX_LATE = {
  type: 'integer' as const,
  minimum: 1,
  maximum: SCENARIO_LIMITS.waitSecondsMax,
  default: SCENARIO_LIMITS.maxLateSeconds,
  description: 'Later than this after it was due, the step is skipped with `too_late`',
};
const SECONDS = { type: 'integer' as const, minimum: 1, maximum: SCENARIO_LIMITS.waitSecondsMax };

const GO_TO = {
  type: 'object' as const,
  required: ['go'],
  properties: { go: { type: 'string' as const, description: 'The label of a step further down' } },
};
const wordOrGoTo = (words: string[]) => ({ oneOf: [{ type: 'string' as const, enum: words }, GO_TO] });

/** What every step may have. */
class AnyStep {
  @ApiPropertyOptional({
    maxLength: 64,
    description: 'Of no other step of the scenario',
    example: 'reminder',
  })
  label?: string;

  @ApiPropertyOptional({
    enum: ON_FAILURE,
    default: 'stop',
    description: 'What the run does where the step fails, or its outcome is unknown',
  })
  on_failure?: string;
}

export class SendTemplateStepSchema extends AnyStep {
  @ApiProperty({ enum: ['send_template'] })
  kind: string;

  @ApiProperty({ example: 'order_ready', description: 'Identifier of an approved template' })
  template_id: string;

  @ApiPropertyOptional({ default: 'ru' })
  template_language?: string;

  @ApiPropertyOptional({ enum: CHANNELS, description: 'Absent: the dialog’s' })
  channel?: string;

  @ApiPropertyOptional({ type: [String], description: `Values of {{1}}, {{2}}, … ${VARIABLES}` })
  params?: string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `Instead of \`params\`, for templates whose variables have names. ${VARIABLES}`,
  })
  named_params?: object;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'As of a recipient of send-template',
  })
  header?: object;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'As of a recipient of send-template',
  })
  buttons?: object[];

  @ApiPropertyOptional(MAX_LATE)
  max_late_seconds?: number;
}

export class SendTextStepSchema extends AnyStep {
  @ApiProperty({ enum: ['send_text'] })
  kind: string;

  @ApiProperty({ maxLength: 4_096, description: VARIABLES, example: 'Any questions, {{lead.name|friend}}?' })
  text: string;

  @ApiPropertyOptional(MAX_LATE)
  max_late_seconds?: number;
}

export class RequestPhoneStepSchema extends AnyStep {
  @ApiProperty({ enum: ['request_phone'] })
  kind: string;

  @ApiProperty({
    maxLength: PHONE_REQUEST_LENGTH_MAX,
    description: `Above the messenger's own button. ${VARIABLES}`,
    example: 'Where may we call you?',
  })
  text: string;

  @ApiPropertyOptional(MAX_LATE)
  max_late_seconds?: number;
}

export class WaitStepSchema extends AnyStep {
  @ApiProperty({ enum: ['wait'] })
  kind: string;

  @ApiProperty({ ...SECONDS, example: 60 })
  seconds: number;
}

export class WaitUntilStepSchema extends AnyStep {
  @ApiProperty({ enum: ['wait_until'] })
  kind: string;

  @ApiProperty({ description: 'Local, 00:00 to 23:59', example: '10:00' })
  time: string;

  @ApiProperty({ description: 'A name of the IANA database', example: 'Asia/Almaty' })
  timezone: string;

  @ApiPropertyOptional({
    type: 'integer',
    isArray: true,
    description: '1 is Monday, 7 is Sunday; absent: every day',
    example: [1, 2, 3, 4, 5],
  })
  weekdays?: number[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: SCENARIO_LIMITS.waitSecondsMax,
    default: 0,
    description: 'The moment is so long away, at least',
  })
  at_least_seconds?: number;
}

export class WaitForReplyStepSchema extends AnyStep {
  @ApiProperty({ enum: ['wait_for_reply'] })
  kind: string;

  @ApiProperty({ ...SECONDS, example: 86_400 })
  seconds: number;

  @ApiPropertyOptional({ ...wordOrGoTo(['continue', 'stop']), default: 'continue' })
  on_timeout?: object;
}

export class ConditionFactSchema {
  @ApiProperty({ enum: CONDITION_FACTS })
  fact: string;

  @ApiProperty({
    oneOf: [{ type: 'boolean' }, { type: 'string' }],
    description:
      'Boolean for `in_stage`, `replied`, `window_open` and `waiting`; AI or OPERATOR for `handler`; a channel, a stage’s kind, or for `last_send` one of accepted, delivered, read, failed',
    example: false,
  })
  is: boolean | string;
}

export class ConditionStepSchema extends AnyStep {
  @ApiProperty({ enum: ['condition'] })
  kind: string;

  @ApiProperty({ type: [ConditionFactSchema], minItems: 1, maxItems: 20 })
  all: ConditionFactSchema[];

  @ApiProperty({ ...wordOrGoTo(['stop']), description: 'Where not all are so' })
  else: object;
}

export class SetStatusStepSchema extends AnyStep {
  @ApiProperty({ enum: ['set_status'] })
  kind: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'A stage of the same funnel; null clears the stage',
    example: EXAMPLE_STATUS_ID,
  })
  status_id: string | null;
}

export class SetAiStepSchema extends AnyStep {
  @ApiProperty({ enum: ['set_ai'] })
  kind: string;

  @ApiProperty({ enum: [false], description: 'Off only: off always wins' })
  ai_enabled: boolean;
}

export class HandOverStepSchema extends AnyStep {
  @ApiProperty({ enum: ['hand_over'] })
  kind: string;

  @ApiPropertyOptional({ maxLength: 1_000, description: `For the person. ${VARIABLES}` })
  note?: string;
}

export class ReturnToAiStepSchema extends AnyStep {
  @ApiProperty({ enum: ['return_to_ai'] })
  kind: string;
}

export class HttpStepSchema extends AnyStep {
  @ApiProperty({ enum: ['http'] })
  kind: string;

  @ApiProperty({ enum: HTTP_METHODS })
  method: string;

  @ApiProperty({
    maxLength: URL_LONGEST,
    description: 'An https address that is reachable from everywhere, without variables',
    example: 'https://shop.example.com/paid',
  })
  url: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', nullable: true },
    description:
      'As of a custom tool: kept encrypted, and never shown again. Answers have null for each value. Null in a change keeps the value that the header has in a present step with the same `url`',
    example: { Authorization: 'Bearer 4f1c9be27d60a8352e9b7c14' },
  })
  headers?: object;

  @ApiPropertyOptional({
    oneOf: [
      { type: 'object', additionalProperties: true },
      { type: 'array', items: {} },
      ...(['string', 'number', 'boolean'] as const).map((type) => ({ type })),
    ],
    description: `JSON, at most 64 KiB; none with GET. Its texts: ${VARIABLES}`,
    example: { phone: '{{lead.phone}}' },
  })
  body?: unknown;
}

export class AssignStepSchema extends AnyStep {
  @ApiProperty({ enum: ['assign'] })
  kind: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'A person of the account; null: nobody',
  })
  user_id: string | null;
}

export class NotifyStepSchema extends AnyStep {
  @ApiProperty({ enum: ['notify'] })
  kind: string;

  @ApiProperty({
    maxLength: 1_000,
    description: `For the person. ${VARIABLES}`,
    example: 'Call the customer.',
  })
  text: string;
}

const SCHEMAS = {
  send_template: SendTemplateStepSchema,
  send_text: SendTextStepSchema,
  request_phone: RequestPhoneStepSchema,
  wait: WaitStepSchema,
  wait_until: WaitUntilStepSchema,
  wait_for_reply: WaitForReplyStepSchema,
  condition: ConditionStepSchema,
  set_status: SetStatusStepSchema,
  set_ai: SetAiStepSchema,
  hand_over: HandOverStepSchema,
  return_to_ai: ReturnToAiStepSchema,
  assign: AssignStepSchema,
  http: HttpStepSchema,
  notify: NotifyStepSchema,
} as const satisfies Record<StepKind, unknown>;

/** The classes that describe steps. */
export const STEP_SCHEMAS = Object.values(SCHEMAS);

/** A scenario's steps: each is as its kind is. */
export const STEPS = {
  type: 'array' as const,
  minItems: 1,
  maxItems: SCENARIO_LIMITS.stepsMax,
  items: {
    oneOf: STEP_SCHEMAS.map(schemaOf),
    discriminator: {
      propertyName: 'kind',
      mapping: Object.fromEntries(
        Object.entries(SCHEMAS).map(([kind, schema]) => [kind, schemaOf(schema).$ref]),
      ),
    },
  },
  description: 'Carried out in their order. A violation is named with its path, such as `steps[3].seconds`.',
};
