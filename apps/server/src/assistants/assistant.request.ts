import type { FieldViolation } from '@app/contracts/coded.errors';
import { demoId } from '@app/contracts/demo-ids';
import { MESSAGE_ROLES, type MessageRole } from '@app/contracts/message.words';
import { STAGE_KINDS, type StageKind } from '@app/contracts/stage.words';
import { SPOKEN_MAX } from '@app/domain/agent/reply-run';
import {
  ASSISTANT_BOUNDS,
  ASSISTANT_DEFAULTS,
  HANDOVER_TEXT_LONGEST,
  INSTRUCTIONS_LONGEST,
  MODEL_LONGEST,
} from '@app/domain/assistants/assistants.service';
import {
  areModelOptions,
  MODEL_OPTIONS_CHARACTERS_MAX,
  MODEL_OPTIONS_MAX,
} from '@app/domain/assistants/model-options.rules';
import { Type } from 'class-transformer';
import {
  IsInt,
  IsNotEmpty,
  IsString,
  Max,
  Min,
  ValidateBy,
  IsBoolean,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  ValidateNested,
} from 'class-validator';
import { Refine, IsLongText, IsName, IsSomeOf, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { PageQuery } from '../http/routes/page.query';
import { MEANING } from './assistant.answer';

export class AssistantQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only the agents of this account' })
  account_id?: string;
}

/** A number of an agent: its documentation, bounds and default. */
const numberOf = (name: keyof typeof ASSISTANT_BOUNDS) => {
  const [minimum, maximum] = ASSISTANT_BOUNDS[name];
  const description = `${MEANING[name]}. A new agent has ${ASSISTANT_DEFAULTS[name]}.`;
  return { type: 'integer' as const, minimum, maximum, description };
};

const IsModelOptions = () =>
  ValidateBy({
    name: 'isModelOptions',
    validator: {
      validate: areModelOptions,
      defaultMessage: () =>
        `must be an object of at most ${MODEL_OPTIONS_MAX} fields of a request to a model, ${MODEL_OPTIONS_CHARACTERS_MAX} characters in all; model, messages, tools, stream and n are not the agent's to set`,
    },
  });

class AssistantSettingsRequest {
  @ApiPropertyOptional({
    maxLength: INSTRUCTIONS_LONGEST,
    description: MEANING.instructions,
    example: 'You sell coffee machines. Be brief.',
  })
  @MayBeAbsent()
  @IsLongText(INSTRUCTIONS_LONGEST)
  instructions?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: MODEL_LONGEST,
    description: MEANING.model,
    example: 'gpt-4.1-mini',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsName(MODEL_LONGEST)
  model?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    maxProperties: MODEL_OPTIONS_MAX,
    description: MEANING.model_options,
    example: { temperature: 0.2 },
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsModelOptions()
  model_options?: object | null;

  @ApiPropertyOptional({ ...numberOf('reply_delay_ms'), nullable: true, example: 5_000 })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(ASSISTANT_BOUNDS.reply_delay_ms[0])
  @Max(ASSISTANT_BOUNDS.reply_delay_ms[1])
  reply_delay_ms?: number | null;

  @ApiPropertyOptional({ ...numberOf('reply_parts_max'), example: 3 })
  @MayBeAbsent()
  @IsInt()
  @Min(ASSISTANT_BOUNDS.reply_parts_max[0])
  @Max(ASSISTANT_BOUNDS.reply_parts_max[1])
  reply_parts_max?: number;

  @ApiPropertyOptional({ ...numberOf('reply_characters_max'), example: 2_000 })
  @MayBeAbsent()
  @IsInt()
  @Min(ASSISTANT_BOUNDS.reply_characters_max[0])
  @Max(ASSISTANT_BOUNDS.reply_characters_max[1])
  reply_characters_max?: number;

  @ApiPropertyOptional({ ...numberOf('replies_per_hour'), example: 60 })
  @MayBeAbsent()
  @IsInt()
  @Min(ASSISTANT_BOUNDS.replies_per_hour[0])
  @Max(ASSISTANT_BOUNDS.replies_per_hour[1])
  replies_per_hour?: number;

  @ApiPropertyOptional({
    enum: STAGE_KINDS,
    isArray: true,
    uniqueItems: true,
    description: MEANING.barred_kinds,
    example: ['success'],
  })
  @MayBeAbsent()
  @IsSomeOf(STAGE_KINDS, { orNone: true })
  barred_kinds?: StageKind[];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: HANDOVER_TEXT_LONGEST,
    description: MEANING.handover_text,
    example: 'A colleague will write to you soon.',
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsName(HANDOVER_TEXT_LONGEST)
  handover_text?: string | null;

  @ApiPropertyOptional({ description: MEANING.vision, example: true })
  @MayBeAbsent()
  @IsBoolean()
  vision?: boolean;

  @ApiPropertyOptional({ ...numberOf('auto_return_minutes'), example: 30 })
  @MayBeAbsent()
  @IsInt()
  @Min(ASSISTANT_BOUNDS.auto_return_minutes[0])
  @Max(ASSISTANT_BOUNDS.auto_return_minutes[1])
  auto_return_minutes?: number;
}

const NAME = { description: 'By which people know the agent', example: 'Sales agent' };

export class CreateAssistantRequest extends AssistantSettingsRequest {
  @ApiPropertyOptional({
    description: 'Absent: the own one. A key of the installation has none, and names one.',
    example: demoId('account', 1),
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  account_id?: string;

  @ApiProperty(NAME)
  @IsName(200)
  name: string;
}

export class ChangeAssistantRequest extends AssistantSettingsRequest {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsName(200)
  name?: string;
}

const TEXT_CHARACTERS_MAX = 4_096;
const NOT_MESSAGES = `must be an array of 1 to ${SPOKEN_MAX} messages`;

/** As models call them, for whoever has a dialog in their form. */
const ROLES_OF_MODELS = { user: 'USER', assistant: 'AI' } as const;

type GivenRole = MessageRole | keyof typeof ROLES_OF_MODELS;

const GIVEN_ROLES = [...MESSAGE_ROLES, ...Object.keys(ROLES_OF_MODELS)];

export const roleOf = (given: GivenRole): MessageRole =>
  given === 'user' || given === 'assistant' ? ROLES_OF_MODELS[given] : given;

class TriedMessageRequest {
  @ApiProperty({
    enum: GIVEN_ROLES,
    example: 'USER',
    description: 'Who wrote it, as in get-messages; `user` is `USER`, and `assistant` is `AI`',
  })
  @IsIn(GIVEN_ROLES)
  role: GivenRole;

  @ApiProperty({ maxLength: TEXT_CHARACTERS_MAX, example: 'Сколько стоит кофемашина?' })
  @IsName(TEXT_CHARACTERS_MAX)
  text: string;
}

function violationsOfLast({ messages }: TryAssistantRequest): FieldViolation[] {
  const last = messages.length - 1;
  const role = messages[last]?.role;
  if (role === undefined || !GIVEN_ROLES.includes(role) || roleOf(role) === 'USER') return [];
  return [{ path: `messages[${last}].role`, message: 'must be USER, because the customer writes last' }];
}

@Refine(violationsOfLast)
export class TryAssistantRequest {
  @ApiProperty({
    type: [TriedMessageRequest],
    minItems: 1,
    maxItems: SPOKEN_MAX,
    description: 'The dialog, the oldest message first. The customer writes last.',
  })
  @IsArray({ message: NOT_MESSAGES })
  @ArrayMinSize(1, { message: NOT_MESSAGES })
  @ArrayMaxSize(SPOKEN_MAX, { message: NOT_MESSAGES })
  @ValidateNested({ each: true })
  @Type(() => TriedMessageRequest)
  messages: TriedMessageRequest[];
}
