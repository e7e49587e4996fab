import type { MessengerSettings } from '@app/config/settings.config';
import { MessageSenders } from '@app/domain/messages/message-sender.port';
import { TemplateGateways } from '@app/domain/templates/template-gateway.port';
import { WebhookReaders } from '@app/domain/webhooks/provider.events';
import { Module, type DynamicModule } from '@nestjs/common';
import { GupshupMessageSender } from './gupshup/gupshup-message.sender';
import { GupshupTemplateGateway } from './gupshup/gupshup-template.gateway';
import { ProviderClients } from './http/provider.clients';
import { ConnectedGateways, ConnectedSenders } from './messenger.registry';
import { ProviderWebhookReaders } from './webhooks/provider-webhook.readers';
import { CloudMessageSender } from './whatsapp-cloud/cloud-message.sender';
import { CloudTemplateGateway } from './whatsapp-cloud/cloud-template.gateway';

/** The adapters behind the domain's ports to the messengers. */
@Module({})
export class IntegrationsModule {
  static forSettings(settings: MessengerSettings): DynamicModule {
    const version = settings.cloud.apiVersion;
    return {
      module: IntegrationsModule,
      global: true,
      providers: [
        { provide: WebhookReaders, useClass: ProviderWebhookReaders },
        { provide: ProviderClients, useFactory: () => new ProviderClients(settings) },
        {
          provide: MessageSenders,
          inject: [ProviderClients],
          useFactory: ({ cloud, gupshup }: ProviderClients) =>
            new ConnectedSenders([new CloudMessageSender(cloud, version), new GupshupMessageSender(gupshup)]),
        },
        {
          provide: TemplateGateways,
          inject: [ProviderClients],
          useFactory: ({ cloud, gupshup }: ProviderClients) =>
            new ConnectedGateways([
              new CloudTemplateGateway(cloud, version),
              new GupshupTemplateGateway(gupshup),
            ]),
        },
      ],
      exports: [MessageSenders, TemplateGateways, WebhookReaders],
    };
  }
}
