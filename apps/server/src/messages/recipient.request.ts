import type { FieldViolation } from '@app/contracts/coded.errors';
import { VARIABLE_NAME_LENGTH_MAX } from '@app/contracts/template.words';
import { ApiPropertyOptional, EXAMPLE_THREAD_ID } from '../http/docs/openapi.decorator';
import { ArrayMaxSize, IsArray, IsNotEmpty, IsObject, IsString, Matches } from 'class-validator';
import { MayBeAbsent, Refine } from '../http/dto/dto.decorator';
import { buttonViolations, headerViolations } from '@app/domain/messages/sending/template-extras.rules';

/** E.164 with its plus. */
const PHONE = /^\+[1-9]\d{6,14}$/;
const BUTTONS_MAX = 10;
const VARIABLE_NAME = new RegExp(`^[a-z0-9_]{1,${VARIABLE_NAME_LENGTH_MAX}}$`);

const NOT_A_PHONE = 'must be a phone number in international form with a plus, such as +77010000001';
const NOT_BUTTONS = `must be an array of at most ${BUTTONS_MAX} items`;

const isValue = (value: unknown): boolean => typeof value === 'string' && value !== '';

const NOT_A_VALUE = 'must be a non-empty string';
const NOT_A_NAME = `names must be 1 to ${VARIABLE_NAME_LENGTH_MAX} lower-case letters, digits and underscores`;

/** The provider judges how many values there are and how long they may be. Only the body's size bounds them. */
function* valueViolations({ params, named_params: named }: RecipientRequest): Generator<FieldViolation> {
  for (const [index, value] of (params ?? []).entries()) {
    if (!isValue(value)) yield { path: `params[${index}]`, message: NOT_A_VALUE };
  }
  for (const [name, value] of Object.entries(named ?? {})) {
    if (!VARIABLE_NAME.test(name)) yield { path: 'named_params', message: NOT_A_NAME };
    else if (!isValue(value)) yield { path: `named_params.${name}`, message: NOT_A_VALUE };
  }
  if (params !== undefined && params.length > 0 && named !== undefined) {
    yield { path: 'named_params', message: 'give params or named_params, not both' };
  }
}

function* recipientFaults(dto: RecipientRequest): Generator<FieldViolation> {
  if (dto.phone === undefined && dto.thread_id === undefined) yield { path: 'phone', message: NOT_A_PHONE };
  if (dto.phone !== undefined && dto.thread_id !== undefined)
    yield { path: 'thread_id', message: 'give phone or thread_id, not both' };
  yield* valueViolations(dto);
  yield* headerViolations(dto.header);
  yield* buttonViolations(dto.buttons);
}

@Refine(recipientFaults)
export class RecipientRequest {
  @ApiPropertyOptional({
    example: '+77015551001',
    description: 'International form with the plus. This or `thread_id`, one of the two.',
  })
  @MayBeAbsent()
  @Matches(PHONE, { message: NOT_A_PHONE })
  phone?: string;

  @ApiPropertyOptional({
    example: EXAMPLE_THREAD_ID,
    description:
      'Instead of `phone`: the customer of this dialog of the same bot and channel. One without a phone is sent to by the messenger’s user id, where the channel can.',
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  thread_id?: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['Aigul', '15:30'],
    description:
      'Values of {{1}}, {{2}}, … Only for templates with variables; an empty array is none, an empty string is refused.',
  })
  @MayBeAbsent()
  @IsArray({ message: 'must be an array' })
  params?: string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Instead of `params`, for templates whose variables have names.',
  })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of names and values' })
  named_params?: Record<string, string>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'What the header of the template needs: `{type: "text", text, name?}` (`name` of a named variable that the registry does not know), `{type: "image"|"video"|"document", link | id, filename?}` or `{type: "location", latitude, longitude, name?, address?}`.',
  })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object of the header' })
  header?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'What its buttons need, each with its `index` from 0: `{type: "url", index, text}`, `{type: "quick_reply", index, payload}` or `{type: "copy_code", index, code}`.',
  })
  @MayBeAbsent()
  @IsArray({ message: NOT_BUTTONS })
  @ArrayMaxSize(BUTTONS_MAX, { message: NOT_BUTTONS })
  buttons?: Record<string, unknown>[];
}
