import { Module } from '@nestjs/common';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookEndpointsController } from './webhook-endpoints.controller';

/** Where events go, and what became of them. */
@Module({ controllers: [WebhookEndpointsController, WebhookDeliveriesController] })
export class WebhooksOutModule {}
