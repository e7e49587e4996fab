import { PASSWORD_LENGTH_MAX } from '@app/domain/accounts/people/password.rules';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { IsLongText, MayBeAbsent } from '../http/dto/dto.decorator';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';

/** Of one that is compared only: a longer one is nobody’s. */
const GIVEN_EMAIL_MAX = 320;
const CODE_LENGTH_MAX = 40;
/** Of one that is compared only: a longer one is nobody’s, however its characters are composed. */
const GIVEN_PASSWORD_MAX = 4 * PASSWORD_LENGTH_MAX;

const CODE = {
  description: 'Of the second factor: the six digits that the app shows, or a recovery code',
  example: '123456',
};
const NEW_PASSWORD = {
  description:
    '10 to 200 characters, taken as they are. Refused when it is among the commonest ones or contains the e-mail address.',
  minLength: 10,
  maxLength: PASSWORD_LENGTH_MAX,
};

export class SignInBody {
  @ApiProperty({ example: 'operator@harbour.example' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(GIVEN_EMAIL_MAX)
  email: string;

  @ApiProperty({ format: 'password' })
  @IsString()
  @IsNotEmpty()
  @IsLongText(GIVEN_PASSWORD_MAX)
  password: string;

  @ApiPropertyOptional(CODE)
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  @MaxLength(CODE_LENGTH_MAX)
  code?: string;
}

export const SIGN_IN_EXAMPLES = {
  'without a second factor': {
    value: { email: 'operator@harbour.example', password: 'the password in demo.json' },
  },
};

export class AcceptInvitationBody {
  @ApiProperty({ description: 'What follows the # of the link' })
  @IsString()
  @IsNotEmpty()
  token: string;

  @ApiProperty({ ...NEW_PASSWORD, format: 'password' })
  @IsString()
  @IsNotEmpty()
  password: string;

  @ApiPropertyOptional(CODE)
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  @MaxLength(CODE_LENGTH_MAX)
  code?: string;
}

export class ChangePasswordBody {
  @ApiProperty({ format: 'password' })
  @IsString()
  @IsNotEmpty()
  @IsLongText(GIVEN_PASSWORD_MAX)
  current: string;

  @ApiProperty({ ...NEW_PASSWORD, format: 'password' })
  @IsString()
  @IsNotEmpty()
  password: string;
}

export class ConfirmBody {
  @ApiProperty({ format: 'password' })
  @IsString()
  @IsNotEmpty()
  @IsLongText(GIVEN_PASSWORD_MAX)
  password: string;
}

export class EnableSecondFactorBody {
  @ApiProperty({ description: 'The six digits that the app shows', example: '123456' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(CODE_LENGTH_MAX)
  code: string;
}

export class DisableSecondFactorBody extends ConfirmBody {
  @ApiProperty(CODE)
  @IsString()
  @IsNotEmpty()
  @MaxLength(CODE_LENGTH_MAX)
  code: string;
}
