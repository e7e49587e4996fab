import type { MessengerSettings } from '@app/config/settings-config';
import { Module, type DynamicModule } from '@nestjs/common';
import { CloudWebhooksController } from './cloud-webhooks.controller';
import { GupshupWebhooksController } from './gupshup-webhooks.controller';
import { WebhookBodyReader, WebhookSecrets } from './webhook-body-reader';
import { WebhookRejectsController } from './webhook-rejects.controller';

/** Where the providers report events, and where unreadable ones are listed. */
@Module({})
export class WebhooksModule {
  static forProviders({ cloud, gupshup }: MessengerSettings): DynamicModule {
    const secrets: WebhookSecrets = {
      appSecrets: cloud.appSecrets,
      verifyToken: cloud.verifyToken,
      gupshupToken: gupshup.webhookToken,
    };
    return {
      module: WebhooksModule,
      controllers: [CloudWebhooksController, GupshupWebhooksController, WebhookRejectsController],
      providers: [{ provide: WebhookSecrets, useValue: secrets }, WebhookBodyReader],
    };
  }
}
