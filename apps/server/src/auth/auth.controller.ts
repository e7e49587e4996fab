import { SessionsService, type SignedIn } from '@app/domain/accounts/people/sessions.service';
import { SignInService } from '@app/domain/accounts/people/sign-in.service';
import { WorkplaceService } from '@app/domain/accounts/people/users.service';
import type { Person } from '@app/domain/accounts/principal.rules';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, CurrentPerson, OwnPages, Public } from '../http/auth/access.decorator';
import { SessionCookie } from '../http/auth/session-cookie';
import { Documented } from '../http/docs/documented.decorator';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import {
  NothingAnswer,
  SessionAnswer,
  SignedInAnswer,
  BegunSecondFactorAnswer,
  RecoveryCodesAnswer,
} from './auth.answer';
import {
  AcceptInvitationBody,
  ChangePasswordBody,
  ConfirmBody,
  SIGN_IN_EXAMPLES,
  SignInBody,
  DisableSecondFactorBody,
  EnableSecondFactorBody,
} from './auth.request';
import { originOf, SessionIssuer } from './session-issuer';

const BY_SESSION = 'Session' as const;

/** Sign-in and sessions of people. */
@ApiTags('Sign-in')
@Controller('api/v1/auth')
export class AuthController {
  constructor(
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly workplaces: WorkplaceService,
    private readonly issuer: SessionIssuer,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('sign-in')
  @HttpCode(200)
  @Public()
  @OwnPages()
  @ApiBody({ type: SignInBody, examples: SIGN_IN_EXAMPLES })
  @Documented({
    summary: 'Sign in',
    description:
      'Opens a session and sets its cookie. It ends after 12 hours without a call, after 30 days at most, and with everything that takes the person’s rights away. The call must come from a page of this service (`Origin`). `code` is only for people with a second factor. The passwords of the demo’s people are in its `demo.json`.',
    answer: SignedInAnswer,
    security: null,
    errors: [
      'SIGN_IN_FAILED',
      'CODE_REQUIRED',
      'CSRF',
      'RATE_LIMITED',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: {
      RATE_LIMITED: 'Too many tries in 15 minutes for the address or from the network; see Retry-After.',
    },
  })
  async signIn(
    @Body() { email, password, code }: SignInBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { network, ...call } = originOf(request);
    const caller = { type: null, ...call };
    const signedIn = await this.signIns.signIn({ email, password, code, network, caller });
    return this.begin(request, response, signedIn);
  }

  @Post('accept-invitation')
  @HttpCode(200)
  @Public()
  @OwnPages()
  @Documented({
    summary: 'Set a password by a link, and sign in',
    description:
      'Uses up the link. All former sessions of the person end. A person with a second factor gives its code too.',
    answer: SignedInAnswer,
    security: null,
    errors: [
      'INVITATION_NOT_FOUND',
      'SIGN_IN_FAILED',
      'CODE_REQUIRED',
      'CSRF',
      'RATE_LIMITED',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: { RATE_LIMITED: 'Too many tries in 15 minutes from the network; see Retry-After.' },
  })
  async acceptInvitation(
    @Body() { token, password, code }: AcceptInvitationBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { network, ...call } = originOf(request);
    const caller = { type: null, ...call };
    const signedIn = await this.signIns.acceptInvitation({ token, password, code, network, caller });
    return this.begin(request, response, signedIn);
  }

  @Post('sign-out')
  @HttpCode(200)
  @Access('session.sign_out')
  @Documented({
    summary: 'Sign out',
    description: 'Ends the session on every process, its open boards within two seconds.',
    answer: NothingAnswer,
    security: BY_SESSION,
    errors: [],
  })
  async signOut(@CurrentPerson() by: Person, @Res({ passthrough: true }) response: Response) {
    await this.sessions.signOut(by);
    this.issuer.forget(response);
    return ok({});
  }

  @Get('me')
  @Access('session.me')
  @Documented({
    summary: 'Who is signed in',
    description: 'The same as sign-in answers.',
    answer: SignedInAnswer,
    security: BY_SESSION,
    errors: [],
  })
  async me(@CurrentPerson() by: Person, @Req() request: Request) {
    return ok(await this.workplace(by, this.cookie.csrfTokenOf(request.headers)));
  }

  @Post('change-password')
  @HttpCode(200)
  @Access('user.change_password')
  @Documented({
    summary: 'Change the own password',
    description: 'All other sessions end.',
    answer: NothingAnswer,
    security: BY_SESSION,
    errors: ['WRONG_PASSWORD', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async changePassword(
    @CurrentPerson() by: Person,
    @Body() { current, password }: ChangePasswordBody,
    @Req() request: Request,
  ) {
    await this.signIns.changePassword(by, current, password, originOf(request).network);
    return ok({});
  }

  @Post('confirm')
  @HttpCode(200)
  @Access('session.confirm')
  @Documented({
    summary: 'Give the password again',
    description: 'Good for ten minutes of this session: keys, people, secrets and exports need it.',
    answer: NothingAnswer,
    security: BY_SESSION,
    errors: ['WRONG_PASSWORD', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async confirm(@CurrentPerson() by: Person, @Body() { password }: ConfirmBody, @Req() request: Request) {
    await this.signIns.confirm(by, password, originOf(request).network);
    return ok({});
  }

  @Get('sessions')
  @Access('session.list')
  @Documented({
    summary: 'The own sessions',
    description: 'The last used first.',
    answer: SessionAnswer,
    isList: true,
    security: BY_SESSION,
    errors: [],
  })
  async listSessions(@CurrentPerson() by: Person) {
    return ok(await this.sessions.list(by));
  }

  @Delete('sessions/:id')
  @Access('session.end')
  @ApiParam({ name: 'id', example: '01930000-0000-7000-8000-00000000a001' })
  @Documented({
    summary: 'End one of the own sessions',
    description: 'On every process within two seconds, its open boards included.',
    answer: NothingAnswer,
    security: BY_SESSION,
    errors: ['SESSION_NOT_FOUND'],
  })
  async endSession(@CurrentPerson() by: Person, @Param('id') id: string) {
    await this.sessions.end(by, id);
    return ok({});
  }

  private async begin(request: Request, response: Response, signedIn: SignedIn) {
    const token = await this.issuer.open(request, response, signedIn);
    const by = await this.sessions.recognise(token);
    return ok(await this.workplace(by, this.cookie.csrfTokenFor(token)));
  }

  private async workplace(by: Person, csrfToken: string | null) {
    return { ...(await this.workplaces.of(by)), csrf_token: csrfToken };
  }
}

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
