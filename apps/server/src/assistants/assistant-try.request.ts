import type { FieldViolation } from '@app/contracts/coded.errors';
import { MESSAGE_ROLES, type MessageRole } from '@app/contracts/message.words';
import { SPOKEN_MAX } from '@app/domain/agent/reply-run';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, ValidateNested } from 'class-validator';
import { Refine } from '../http/docs/dto-schema-check';
import { IsName } from '../http/dto/dto.decorator';
import { ApiProperty } from '../http/docs/openapi.decorator';

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
