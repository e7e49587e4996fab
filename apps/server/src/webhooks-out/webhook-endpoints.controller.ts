import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { WebhookEndpoints } from '@app/domain/webhooks-out/endpoints/webhook-endpoints.service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { parsePage, textOrNull } from '../http/routes/page.query';
import {
  NewWebhookEndpointAnswer,
  RotatedWebhookSecretAnswer,
  WebhookEndpointAnswer,
  WebhookEndpointListAnswer,
} from './webhook-endpoint.answer';
import {
  CHANGE_ENDPOINT_EXAMPLES,
  CREATE_ENDPOINT_EXAMPLES,
  ROTATE_ENDPOINT_EXAMPLES,
  ChangeEndpointRequest,
  CreateEndpointRequest,
  EndpointQuery,
  RotateEndpointSecretRequest,
} from './webhook-endpoint.request';

const ID = { name: 'id', example: demoId('webhookEndpoint', 1) };

const NOT_OF_THE_ACCOUNT = { ASSISTANT_NOT_FOUND: 'The account has no such agent.' };

@ApiTags('Admin: webhooks out')
@Controller('api/v1/admin/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  @Get()
  @Access('webhook_endpoint.list')
  @Documented({
    summary: 'List endpoints of webhooks',
    description: 'Newest first, with how each fares; never their secrets.',
    answer: WebhookEndpointListAnswer,
    security: 'AdminKey',
    errors: ['VALIDATION_ERROR'],
  })
  async listWebhookEndpoints(@CurrentPrincipal() by: Principal, @Query() query: EndpointQuery) {
    const { limit, after } = parsePage(query);
    const accountId = textOrNull('account_id', query.account_id);
    const { page, next_cursor } = pageOf(await this.endpoints.list(by, accountId, after, limit + 1), limit);
    return ok({ webhook_endpoints: page, next_cursor });
  }

  @Post()
  @Access('webhook_endpoint.create')
  @ApiBody({ type: CreateEndpointRequest, examples: CREATE_ENDPOINT_EXAMPLES })
  @Documented({
    summary: 'Send events to an address',
    description:
      'Events from now on are sent there, signed by Standard Webhooks with the secret of this answer, which is nowhere else. An account has at most 20 endpoints.',
    answer: NewWebhookEndpointAnswer,
    status: 201,
    security: 'AdminKey',
    errors: ['ACCOUNT_NOT_FOUND', 'ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    meanings: NOT_OF_THE_ACCOUNT,
  })
  async createWebhookEndpoint(@CurrentPrincipal() by: Principal, @Body() body: CreateEndpointRequest) {
    const { account_id: accountId, ...given } = body;
    return ok(await this.endpoints.create(by, accountId, given));
  }

  @Get(':id')
  @Access('webhook_endpoint.get')
  @ApiParam(ID)
  @Documented({
    summary: 'One endpoint',
    description: 'Its settings, and how it fares: what failed, what passed, what is to be sent.',
    answer: WebhookEndpointAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  })
  async getWebhookEndpoint(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.endpoints.get(by, id));
  }

  @Patch(':id')
  @Access('webhook_endpoint.update')
  @ApiParam(ID)
  @ApiBody({ type: ChangeEndpointRequest, examples: CHANGE_ENDPOINT_EXAMPLES })
  @Documented({
    summary: 'Change an endpoint, disable it, or enable it again',
    description:
      'What is absent stays. Other events and agents count for what happens from now on; an address counts for what is still to be sent, too. What happened while it was disabled comes by a replay.',
    answer: WebhookEndpointAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    meanings: NOT_OF_THE_ACCOUNT,
  })
  async changeWebhookEndpoint(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: ChangeEndpointRequest,
  ) {
    return ok(await this.endpoints.change(by, id, body));
  }

  @Delete(':id')
  @Access('webhook_endpoint.delete')
  @ApiParam({ name: 'id', example: demoId('webhookEndpoint', 2) })
  @Documented({
    summary: 'Delete an endpoint',
    description: 'With its deliveries. The answer is the endpoint as it was.',
    answer: WebhookEndpointAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  })
  async deleteWebhookEndpoint(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.endpoints.remove(by, id));
  }

  @Post(':id/rotate-secret')
  @Access('webhook_endpoint.rotate_secret')
  @HttpCode(200)
  @ApiParam(ID)
  @ApiBody({ type: RotateEndpointSecretRequest, examples: ROTATE_ENDPOINT_EXAMPLES })
  @Documented({
    summary: 'Give an endpoint a new secret',
    description:
      'It is in this answer and nowhere else. Until `overlap_hours` are over the former secret signs as well, so that the receiver can change at its leisure; rotating again ends it at once.',
    answer: RotatedWebhookSecretAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async rotateWebhookSecret(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() body: RotateEndpointSecretRequest,
  ) {
    return ok(await this.endpoints.rotateSecret(by, id, body.overlap_hours));
  }
}
