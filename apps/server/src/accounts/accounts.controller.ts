import { AccountsService, type AccountChange } from '@app/domain/accounts/accounts.service';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { openingHoursOf } from '@app/domain/scenarios/definition/send-hours.rules';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { demoId } from '@app/contracts/demo-ids';
import { Documented } from '../http/docs/documented.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { PageQuery, parsePage } from '../http/routes/page.query';
import { AccountAnswer, AccountListAnswer } from './account.answer';
import {
  CHANGE_ACCOUNT_EXAMPLES,
  CREATE_ACCOUNT_EXAMPLES,
  ChangeAccountRequest,
  CreateAccountRequest,
} from './account.request';

const ID = { name: 'id', example: demoId('account', 1) };

@ApiTags('Admin: accounts')
@Controller('api/v1/admin/accounts')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get()
  @Access('account.list')
  @Documented({
    summary: 'List accounts',
    description: 'In the order of their making.',
    answer: AccountListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listAccounts(@CurrentPrincipal() by: Principal, @Query() query: PageQuery) {
    const { limit, after } = parsePage(query);
    const { page, next_cursor } = pageOf(await this.accounts.list(by, after, limit + 1), limit);
    return ok({ accounts: page, next_cursor });
  }

  @Post()
  @Access('account.create')
  @ApiBody({ type: CreateAccountRequest, examples: CREATE_ACCOUNT_EXAMPLES })
  @Documented({
    summary: 'Make an account',
    description:
      'With the settings that it is given, which are as in a change; without a quota it may send without limit.',
    answer: AccountAnswer,
    status: 201,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async createAccount(@CurrentPrincipal() by: Principal, @Body() body: CreateAccountRequest) {
    return ok(await this.accounts.create(by, { ...settingsOf(body), name: body.name }));
  }

  @Get(':id')
  @Access('account.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One account with its quota',
    description: 'Name, monthly quota, what of it is used, and when it begins anew.',
    answer: AccountAnswer,
    security: 'AdminKey',
    errors: ['ACCOUNT_NOT_FOUND'],
  })
  async getAccount(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.accounts.get(by, id));
  }

  @Patch(':id')
  @Access('account.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeAccountRequest, examples: CHANGE_ACCOUNT_EXAMPLES })
  @Documented({
    summary: 'Change an account',
    description:
      'Its name, its monthly quota, its storage quota, whether its automation is paused, after how many days without activity its dialogs are erased, in which country phones of files are read, its time zone and its opening hours, whether voice notes are transcribed, what becomes of a customer who waits when a takeover ends, whether a person who answers a dialog of nobody becomes its assignee, its own words by which customers opt out and in; what is absent stays. With `automation_paused: true` nothing begins after the answer that its scenarios or agents do to customers; what is due waits. With `second_factor_required: true` its people may do nothing but sign-in’s own operations until they have enabled a second factor. An account’s admin may change all but the quotas; `second_factor_required` and `retention_days` with the password given again.',
    answer: AccountAnswer,
    security: 'AdminKey',
    errors: ['ACCOUNT_NOT_FOUND', 'CONFIRM_REQUIRED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async changeAccount(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeAccountRequest,
  ) {
    return ok(await this.accounts.change(by, id, settingsOf(body)));
  }
}

const settingsOf = (body: CreateAccountRequest | ChangeAccountRequest): AccountChange => ({
  ...{ name: body.name, monthlyMessageQuota: body.monthly_message_quota },
  mediaQuotaBytes: body.media_quota_bytes,
  automationPaused: body.automation_paused,
  secondFactorRequired: body.second_factor_required,
  retentionDays: body.retention_days,
  defaultCountry: body.default_country,
  timezone: body.timezone,
  openingHours: body.opening_hours === undefined ? undefined : openingHoursOf(body.opening_hours),
  ...{ takeoverEnd: body.takeover_end, transcription: body.transcription },
  assignOnReply: body.assign_on_reply,
  ...{ optOutWords: body.opt_out_words, optInWords: body.opt_in_words },
});
