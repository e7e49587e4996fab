import { demoId } from '@app/contracts/demo-ids';
import { ROLES, type Role } from '@app/domain/accounts/access-table';
import type { ChangedSettings, UserSettings } from '@app/domain/accounts/people/users.service';
import { Equals, IsBoolean, IsIn, IsNotEmpty, IsString } from 'class-validator';
import { IsEmail, IsPersonName, IsTexts, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { ASSISTANTS_OF_PERSON, LOCALES } from './user.answer';

const NAME_LENGTH_MAX = 200;
const ASSISTANTS_MAX = 100;
const EMAIL = { description: 'Unique over the installation, whatever the letter case' };
const ASSISTANTS = {
  type: [String] as [StringConstructor],
  nullable: true,
  example: [demoId('assistant', 1)],
  description: ASSISTANTS_OF_PERSON,
};

export class CreateUserRequest {
  @ApiPropertyOptional({
    description: 'Required by an admin key; an admin who is signed in may leave it out.',
    example: demoId('account', 1),
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  account_id?: string;

  @ApiProperty({ ...EMAIL, example: 'dana@harbour-coffee.example' })
  @IsEmail()
  email: string;

  @ApiProperty({ example: 'Dana' })
  @IsPersonName(NAME_LENGTH_MAX)
  name: string;

  @ApiProperty({ enum: ROLES, example: 'operator' })
  @IsIn([...ROLES])
  role: Role;

  @ApiPropertyOptional({ ...ASSISTANTS, default: null })
  @MayBeAbsent()
  @MayBeNull()
  @IsTexts(ASSISTANTS_MAX)
  assistant_ids?: string[] | null;

  @ApiPropertyOptional({ enum: LOCALES, default: 'ru', example: 'ru' })
  @MayBeAbsent()
  @IsIn([...LOCALES])
  locale?: 'ru' | 'en';
}

/** Absent fields stay. */
export class ChangeUserRequest {
  @ApiPropertyOptional({ ...EMAIL, example: 'operator@harbour.example' })
  @MayBeAbsent()
  @IsEmail()
  email?: string;

  @ApiPropertyOptional({ example: 'Алия' })
  @MayBeAbsent()
  @IsPersonName(NAME_LENGTH_MAX)
  name?: string;

  @ApiPropertyOptional({ enum: ROLES, example: 'operator' })
  @MayBeAbsent()
  @IsIn([...ROLES])
  role?: Role;

  @ApiPropertyOptional(ASSISTANTS)
  @MayBeAbsent()
  @MayBeNull()
  @IsTexts(ASSISTANTS_MAX)
  assistant_ids?: string[] | null;

  @ApiPropertyOptional({ enum: LOCALES, example: 'ru' })
  @MayBeAbsent()
  @IsIn([...LOCALES])
  locale?: 'ru' | 'en';

  @ApiPropertyOptional({
    description: 'A disabled person cannot sign in; what the person did stays.',
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;

  @ApiPropertyOptional({ enum: [false], description: 'Takes the second factor away', example: false })
  @MayBeAbsent()
  @Equals(false, { message: 'may be false only: the person enables it' })
  second_factor?: false;
}

/** Each changes one field: filled in as a whole, the body would also take away a role and a second factor. */
export const CHANGE_USER_EXAMPLES = {
  'another name': { value: { name: 'Алия' } },
  "the operators' page in English": { value: { locale: 'en' } },
};

export const toUserSettings = (body: CreateUserRequest): UserSettings => ({
  email: body.email,
  name: body.name,
  role: body.role,
  assistantIds: body.assistant_ids ?? null,
  locale: body.locale ?? 'ru',
});

export const toChangedSettings = (body: ChangeUserRequest): ChangedSettings => ({
  email: body.email,
  name: body.name,
  role: body.role,
  assistantIds: body.assistant_ids,
  locale: body.locale,
  disabled: body.disabled,
  secondFactor: body.second_factor,
});
