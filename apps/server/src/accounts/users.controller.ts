import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { UsersService } from '@app/domain/accounts/people/users.service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { ApiBody, ApiParam, ApiPropertyOptional, ApiTags } from '../http/docs/openapi.decorator';
import { PageQuery, parsePage, textOrNull } from '../http/routes/page.query';
import { InvitationAnswer, InvitedUserAnswer, UserAnswer, UserListAnswer } from './user.answer';
import {
  CHANGE_USER_EXAMPLES,
  ChangeUserRequest,
  CreateUserRequest,
  toChangedSettings,
  toUserSettings,
} from './user.request';

const ID = { name: 'id', example: demoId('user', 1) };

class UserQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only people of this account' })
  account_id?: string;
}

@ApiTags('Admin: people')
@Controller('api/v1/admin/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Access('user.list')
  @Documented({
    summary: 'List people',
    description: 'Newest first, disabled ones included. An admin who is signed in sees the own account.',
    answer: UserListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listUsers(@CurrentPrincipal() by: Principal, @Query() query: UserQuery) {
    const { limit, after } = parsePage(query);
    const accountId = textOrNull('account_id', query.account_id);
    const { page, next_cursor } = pageOf(await this.users.list(by, accountId, after, limit + 1), limit);
    return ok({ users: page, next_cursor });
  }

  @Post()
  @Access('user.create')
  @Documented({
    summary: 'Invite a person',
    description:
      'The link is in this answer and nowhere else: the person sets a password by it, once, within seven days. Opening it uses nothing up. No e-mail is sent.',
    answer: InvitedUserAnswer,
    status: 201,
    security: 'AdminKey',
    errors: [
      'ACCOUNT_NOT_FOUND',
      'ASSISTANT_NOT_FOUND',
      'EMAIL_TAKEN',
      'LIMIT_REACHED',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async createUser(@CurrentPrincipal() by: Principal, @Body() body: CreateUserRequest) {
    return ok(await this.users.create(by, body.account_id, toUserSettings(body)));
  }

  @Get(':id')
  @Access('user.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One person',
    description: 'Role, agents, whether disabled, whether with a second factor, and when last seen.',
    answer: UserAnswer,
    security: 'AdminKey',
    errors: ['USER_NOT_FOUND'],
  })
  async getUser(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.users.get(by, id));
  }

  @Patch(':id')
  @Access('user.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeUserRequest, examples: CHANGE_USER_EXAMPLES })
  @Documented({
    summary: 'Change a person',
    description:
      'What is absent stays. `disabled: true` and a change of `role` end all sessions of the person within two seconds. `second_factor: false` takes the second factor away from another person who has lost it; one’s own needs a code (`auth/second-factor/disable`). The last admin of an account who can sign in stays one.',
    answer: UserAnswer,
    security: 'AdminKey',
    errors: [
      'USER_NOT_FOUND',
      'ASSISTANT_NOT_FOUND',
      'EMAIL_TAKEN',
      'LAST_ADMIN',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async changeUser(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeUserRequest,
  ) {
    return ok(await this.users.change(by, id, toChangedSettings(body)));
  }

  @Post(':id/invitation')
  @HttpCode(200)
  @Access('user.invite')
  @ApiParam(ID)
  @Documented({
    summary: 'A new link to set a password',
    description:
      'For whoever has lost the first one, or the password. Former links are void and all sessions end. It is good for an hour, or for seven days where the person has no password yet. A disabled person gets none: enable the person first.',
    answer: InvitationAnswer,
    security: 'AdminKey',
    errors: ['USER_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async inviteUser(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.users.invite(by, id));
  }

  @Delete(':id/sessions')
  @Access('user.end_sessions')
  @ApiParam(ID)
  @Documented({
    summary: 'End all sessions of a person',
    description: 'On every process within two seconds, open boards included.',
    answer: UserAnswer,
    security: 'AdminKey',
    errors: ['USER_NOT_FOUND'],
  })
  async endUserSessions(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.users.endSessions(by, id));
  }
}
