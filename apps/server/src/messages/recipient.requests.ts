import type { FieldFault } from '@app/contracts/coded.error';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { MayBeAbsent } from '../http/dto.decorators';
import { Refine } from '../http/dto.structure';
import { buttonFaults, headerFaults } from './template-extras.rules';

/** E.164 with its plus (contract 2). */
const PHONE = /^\+[1-9]\d{6,14}$/;
const VARIABLES_MAX = 100;
/** Of one value: far more than any text of WhatsApp has, so that what fits a template is the provider's to judge. */
const VALUE_LENGTH_MAX = 32_768;
const VARIABLE_NAME = /^[a-z0-9_]{1,64}$/;

const IsPhone = () =>
  ValidateBy({
    name: 'isPhone',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && PHONE.test(value),
      defaultMessage: (about) =>
        about?.value === undefined
          ? 'is required'
          : 'must be a phone number in international form with a plus, such as +77010000001',
    },
  });

const IsArrayOf = (most: number) =>
  ValidateBy({
    name: 'isArrayOf',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.length <= most,
      defaultMessage: () => `must be an array of at most ${most} items`,
    },
  });

const IsObjectOf = (what: string) =>
  ValidateBy({
    name: 'isObjectOf',
    validator: {
      validate: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: () => `must be an object of ${what}`,
    },
  });

const isValue = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= VALUE_LENGTH_MAX;

function valueFaults({ params, named_params: named }: RecipientRequest): FieldFault[] {
  const message = `must be a non-empty string of at most ${VALUE_LENGTH_MAX} characters`;
  const faults = (params ?? []).flatMap((value, index) =>
    isValue(value) ? [] : [{ path: `params[${index}]`, message }],
  );
  for (const [name, value] of Object.entries(named ?? {})) {
    if (!VARIABLE_NAME.test(name)) {
      faults.push({
        path: 'named_params',
        message: 'names must be 1 to 64 lower-case letters, digits and underscores',
      });
    } else if (!isValue(value)) faults.push({ path: `named_params.${name}`, message });
  }
  if (params !== undefined && params.length > 0 && named !== undefined) {
    faults.push({ path: 'named_params', message: 'give params or named_params, not both' });
  }
  if (Object.keys(named ?? {}).length > VARIABLES_MAX) {
    faults.push({ path: 'named_params', message: `must have at most ${VARIABLES_MAX} names` });
  }
  return faults;
}

@Refine((dto: RecipientRequest) => [
  ...valueFaults(dto),
  ...headerFaults(dto.header),
  ...buttonFaults(dto.buttons),
])
export class RecipientRequest {
  @ApiProperty({ example: '+77015551001', description: 'International form with the plus.' })
  @IsPhone()
  phone: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['Aigul', '15:30'],
    description:
      'Values of {{1}}, {{2}}, … Only for templates with variables; an empty array is none, an empty string is refused.',
  })
  @MayBeAbsent()
  @IsArrayOf(VARIABLES_MAX)
  params?: string[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Instead of `params`, for templates whose variables have names.',
  })
  @MayBeAbsent()
  @IsObjectOf('names and values')
  named_params?: Record<string, string>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'What the header of the template needs: `{type: "text", text}`, `{type: "image"|"video"|"document", link | id, filename?}` or `{type: "location", latitude, longitude, name?, address?}`.',
  })
  @MayBeAbsent()
  @IsObjectOf('the header')
  header?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'What its buttons need, each with its `index` from 0: `{type: "url", index, text}`, `{type: "quick_reply", index, payload}` or `{type: "copy_code", index, code}`.',
  })
  @MayBeAbsent()
  @IsArrayOf(10)
  buttons?: Record<string, unknown>[];
}
