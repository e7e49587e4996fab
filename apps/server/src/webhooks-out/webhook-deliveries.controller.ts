import { demoId } from '@app/contracts/demo-ids';
import { DELIVERY_STATES } from '@app/contracts/webhook.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { EndpointDeliveries } from '@app/domain/webhooks-out/endpoints/endpoint-deliveries.service';
import { EndpointReplays } from '@app/domain/webhooks-out/endpoints/endpoint-replays.service';
import { EndpointTests } from '@app/domain/webhooks-out/endpoints/endpoint-tests.service';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { pageOf } from '../http/routes/opaque-cursor';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { parsePage, wordOrNull } from '../http/routes/page.query';
import {
  WebhookDeliveryAnswer,
  WebhookDeliveryListAnswer,
  WebhookDeliveryWithRequestAnswer,
} from './webhook-delivery.answer';
import { ReplayAnswer } from './webhook-endpoint.answer';
import { REPLAY_EXAMPLES, DeliveryQuery, ReplayRequest } from './webhook-endpoint.request';

const DELIVERY_ID = { name: 'id', example: demoId('webhookDelivery', 1) };
const ENDPOINT_ID = { name: 'id', example: demoId('webhookEndpoint', 1) };

/** What was sent to an endpoint, and is to be sent. */
@ApiTags('Admin: webhooks out')
@Controller('api/v1/admin')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: EndpointDeliveries,
    private readonly replays: EndpointReplays,
    private readonly tests: EndpointTests,
  ) {}

  @Get('webhook-endpoints/:id/deliveries')
  @Access('webhook_delivery.list')
  @ApiParam(ENDPOINT_ID)
  @Documented({
    summary: 'List deliveries to an endpoint',
    description:
      'Newest first, with their attempts, without what they say. A delivery is kept for 30 days after its last attempt.',
    answer: WebhookDeliveryListAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async listDeliveries(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Query() query: DeliveryQuery,
  ) {
    const { limit, after } = parsePage(query);
    const state = wordOrNull('state', query.state, DELIVERY_STATES);
    const rows = await this.deliveries.list(by, id, state, after, limit + 1);
    const { page, next_cursor } = pageOf(rows, limit);
    return ok({ deliveries: page, next_cursor });
  }

  @Get('webhook-deliveries/:id')
  @Access('webhook_delivery.get')
  @ApiParam(DELIVERY_ID)
  @Documented({
    summary: 'A delivery with its request',
    description:
      'With the address, the headers of the last attempt, and what the event says now, which may be what a customer wrote. The attempts are the answers: of an answer only its status is read.',
    answer: WebhookDeliveryWithRequestAnswer,
    security: 'AdminKey',
    errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
  })
  async getDelivery(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.deliveries.get(by, id));
  }

  @Post('webhook-deliveries/:id/retry')
  @Access('webhook_delivery.retry')
  @HttpCode(200)
  @ApiParam(DELIVERY_ID)
  @ApiBody({ schema: { type: 'object' }, examples: { 'the receiver is there again': { value: {} } } })
  @Documented({
    summary: 'Send a delivery now',
    description:
      'Whatever its state, unless it was delivered. If it fails, all retries follow anew. It waits for no earlier event of its dialog.',
    answer: WebhookDeliveryAnswer,
    security: 'AdminKey',
    errors: [
      ...(['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_DELIVERY_STATE'] as const),
      ...(['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'] as const),
    ],
  })
  async retryDelivery(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.deliveries.retry(by, id));
  }

  @Post('webhook-endpoints/:id/replay')
  @Access('webhook_endpoint.replay')
  @HttpCode(200)
  @ApiParam(ENDPOINT_ID)
  @ApiBody({ type: ReplayRequest, examples: REPLAY_EXAMPLES })
  @Documented({
    summary: 'Send what an endpoint has missed',
    description:
      'All events of the time that the endpoint takes and has not got: missed, failed, skipped, or still to be sent, also from before it was made. They are due now, in the order of their dialogs, with all retries before them. Those that were delivered are not sent again. Each has the same `webhook-id` as ever, and the header `webhook-replay: true`.',
    answer: ReplayAnswer,
    security: 'AdminKey',
    errors: [
      ...(['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'] as const),
      ...(['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'] as const),
    ],
  })
  async replayEvents(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() { since, until }: ReplayRequest,
  ) {
    const end = until === undefined ? null : new Date(until);
    return ok(await this.replays.replay(by, id, new Date(since), end));
  }

  @Post('webhook-endpoints/:id/test')
  @Access('webhook_endpoint.test')
  @HttpCode(200)
  @ApiParam(ENDPOINT_ID)
  @ApiBody({ schema: { type: 'object' }, examples: { 'is it there?': { value: {} } } })
  @Documented({
    summary: 'Test an endpoint',
    description:
      'An event `webhook.test` is sent at once, and the answer tells what became of it: `delivered` or `failed`, which is no error of this call. It is not tried again.',
    answer: WebhookDeliveryAnswer,
    security: 'AdminKey',
    errors: [
      ...(['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'] as const),
      ...(['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'] as const),
    ],
  })
  async testEndpoint(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.tests.test(by, id));
  }
}
