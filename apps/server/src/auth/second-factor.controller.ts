import type { Person } from '@app/domain/accounts/principal.rules';
import { SignInService } from '@app/domain/accounts/people/sign-in.service';
import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Access, CurrentPerson } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiTags } from '../http/docs/openapi.decorator';
import { BegunSecondFactorAnswer, NothingAnswer, RecoveryCodesAnswer } from './auth.answer';
import { DisableSecondFactorBody, EnableSecondFactorBody } from './auth.request';
import { originOf } from './session-issuer';

/** The second factor of a person: codes of an authenticator app (RFC 6238). */
@ApiTags('Sign-in')
@Controller('api/v1/auth/second-factor')
export class SecondFactorController {
  constructor(private readonly signIns: SignInService) {}

  @Post('begin')
  @HttpCode(200)
  @Access('second_factor.begin')
  @Documented({
    summary: 'Begin a second factor',
    description: 'A secret for an authenticator app. It counts once `enable` has got a code of it.',
    answer: BegunSecondFactorAnswer,
    security: 'Session',
    errors: ['ALREADY_EXISTS'],
  })
  async beginSecondFactor(@CurrentPerson() by: Person) {
    return ok(await this.signIns.beginSecondFactor(by));
  }

  @Post('enable')
  @HttpCode(200)
  @Access('second_factor.enable')
  @Documented({
    summary: 'Enable the second factor',
    description: 'By a code of the app. The answer has ten recovery codes, shown this once.',
    answer: RecoveryCodesAnswer,
    security: 'Session',
    errors: ['ALREADY_EXISTS', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async enableSecondFactor(
    @CurrentPerson() by: Person,
    @Body() { code }: EnableSecondFactorBody,
    @Req() request: Request,
  ) {
    const { network } = originOf(request);
    return ok({ recovery_codes: await this.signIns.enableSecondFactor(by, code, network) });
  }

  @Post('disable')
  @HttpCode(200)
  @Access('second_factor.disable')
  @Documented({
    summary: 'Disable the second factor',
    description: 'By the password and a code of the app, or a recovery code.',
    answer: NothingAnswer,
    security: 'Session',
    errors: ['WRONG_PASSWORD', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async disableSecondFactor(
    @CurrentPerson() by: Person,
    @Body() { password, code }: DisableSecondFactorBody,
    @Req() request: Request,
  ) {
    await this.signIns.disableSecondFactor(by, password, code, originOf(request).network);
    return ok({});
  }
}
