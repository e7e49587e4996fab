import { demoId } from '@app/contracts/demo-ids';
import { ApiKeysService } from '@app/domain/accounts/keys/api-keys.service';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiPropertyOptional, ApiTags } from '../http/docs/openapi.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { PageQuery, parsePage, textOrNull } from '../http/routes/page.query';
import { ApiKeyAnswer, ApiKeyListAnswer, IssuedApiKeyAnswer, RotatedApiKeyAnswer } from './api-key.answer';
import {
  CHANGE_KEY_EXAMPLES,
  ChangeApiKeyRequest,
  IssueApiKeyRequest,
  ROTATE_KEY_EXAMPLES,
  RotateApiKeyRequest,
  toKeyChange,
  toNewKey,
} from './api-key.request';

const ID = { name: 'id', example: demoId('apiKey', 6) };

const NOT_OF_THE_ACCOUNT = {
  BOT_NOT_FOUND: "The key's account has no such bot.",
  ASSISTANT_NOT_FOUND: "The key's account has no such agent.",
};

class ApiKeyQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only the keys of this account' })
  account_id?: string;
}

@ApiTags('Admin: API keys')
@Controller('api/v1/admin/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @Access('key.list')
  @Documented({
    summary: 'List API keys',
    description: 'Newest first, revoked and expired ones included; never the keys themselves.',
    answer: ApiKeyListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listApiKeys(@CurrentPrincipal() by: Principal, @Query() query: ApiKeyQuery) {
    const { limit, after } = parsePage(query);
    const rows = await this.keys.list(by, textOrNull('account_id', query.account_id), after, limit + 1);
    const { page, next_cursor } = pageOf(rows, limit);
    return ok({ api_keys: page, next_cursor });
  }

  @Post()
  @Access('key.create')
  @Documented({
    summary: 'Issue an API key',
    description:
      'The key is in this answer and nowhere else: only its hash is kept. Two keys may live side by side.',
    answer: IssuedApiKeyAnswer,
    status: 201,
    security: 'AdminKey',
    errors: [
      'ACCOUNT_NOT_FOUND',
      'BOT_NOT_FOUND',
      'ASSISTANT_NOT_FOUND',
      'LIMIT_REACHED',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: NOT_OF_THE_ACCOUNT,
  })
  async issueApiKey(@CurrentPrincipal() by: Principal, @Body() body: IssueApiKeyRequest) {
    return ok(await this.keys.issue(by, toNewKey(body)));
  }

  @Patch(':id')
  @Access('key.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeApiKeyRequest, examples: CHANGE_KEY_EXAMPLES })
  @Documented({
    summary: 'Change an API key',
    description:
      'Its name, scopes, bots, agents, limits and expiry; what is absent stays. The next call of the key is judged by it on every process, its open boards within two seconds.',
    answer: ApiKeyAnswer,
    security: 'AdminKey',
    errors: [
      'API_KEY_NOT_FOUND',
      'BOT_NOT_FOUND',
      'ASSISTANT_NOT_FOUND',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: NOT_OF_THE_ACCOUNT,
  })
  async changeApiKey(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeApiKeyRequest,
  ) {
    return ok(await this.keys.change(by, id, toKeyChange(body)));
  }

  @Post(':id/rotate')
  @Access('key.rotate')
  @HttpCode(200)
  @ApiParam({ name: 'id', example: demoId('apiKey', 7) })
  @ApiBody({ type: RotateApiKeyRequest, examples: ROTATE_KEY_EXAMPLES })
  @Documented({
    summary: 'Give an API key a new secret',
    description:
      'It stays the same key, with its id, counters and attachments. The old secret is good until `overlap_hours` are over, and both count against the same limits; rotating again ends it at once. Revoking ends both.',
    answer: RotatedApiKeyAnswer,
    security: 'AdminKey',
    errors: ['API_KEY_NOT_FOUND', 'API_KEY_REVOKED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async rotateApiKey(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: RotateApiKeyRequest,
  ) {
    return ok(await this.keys.rotate(by, id, body.overlap_hours));
  }

  @Delete(':id')
  @Access('key.revoke')
  @ApiParam(ID)
  @Documented({
    summary: 'Revoke an API key',
    description:
      'On every process within a second, its open sockets within two. Revoking again changes nothing.',
    answer: ApiKeyAnswer,
    security: 'AdminKey',
    errors: ['API_KEY_NOT_FOUND'],
  })
  async revokeApiKey(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.keys.revoke(by, id));
  }
}
