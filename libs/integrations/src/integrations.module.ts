import type { Settings } from '@app/config/settings-config';
import type { Channel } from '@app/contracts/message.words';
import { LanguageModel } from '@app/domain/agent/language-model.port';
import { HttpToolCaller } from '@app/domain/assistants/http-tool.port';
import { NumberProbes, type NumberProbe } from '@app/domain/bots/number-probe.port';
import { MediaDownloads } from '@app/domain/media/media-download.port';
import { MediaInspector } from '@app/domain/media/media-inspector.port';
import { MediaStore } from '@app/domain/media/media-store.port';
import { Transcriber } from '@app/domain/media/transcriber.port';
import { MessageSenders, type MessageSender } from '@app/domain/messages/dispatch/message-sender.port';
import { TemplateGateways, type TemplateGateway } from '@app/domain/templates/template-gateway.port';
import { LeadFiles } from '@app/domain/transfer/lead-file.port';
import { WebhookSender } from '@app/domain/webhooks-out/sending/webhook-sender.port';
import { WebhookReaders } from '@app/domain/webhooks/provider-events';
import { Module, type DynamicModule } from '@nestjs/common';
import { GupshupMessageSender } from './gupshup/gupshup-message-sender';
import { GupshupNumberProbe } from './gupshup/gupshup-number-probe';
import { GupshupTemplateGateway } from './gupshup/gupshup-template.gateway';
import { GuardedToolCaller } from './http-tools/guarded-tool-caller';
import { ProviderClients } from './http/provider-client';
import { FileMediaInspector } from './media/file-media-inspector';
import { mediaStoreOf } from './media/media-stores';
import { ProviderMediaDownloads } from './media/provider-media-downloads';
import { MODEL_LIMITS } from './model/model-limits';
import { OpenAiLanguageModel } from './model/openai-language-model';
import { OpenAiTranscriber } from './transcription/openai-transcriber';
import { CsvLeadFiles } from './transfer/csv-lead-files';
import { GuardedWebhookSender } from './webhooks-out/guarded-webhook-sender';
import { ProviderWebhookReaders } from './webhooks/provider-webhook-readers';
import { CloudFileUpload } from './whatsapp-cloud/cloud-file-upload';
import { CloudMessageSender } from './whatsapp-cloud/cloud-message-sender';
import { CloudNumberProbe } from './whatsapp-cloud/cloud-number-probe';
import { CloudTemplateGateway } from './whatsapp-cloud/cloud-template.gateway';

/** The adapter that serves the channel. @throws Error when none does. */
function servantOf<T extends { channels: readonly Channel[] }>(adapters: readonly T[], channel: Channel): T {
  const adapter = adapters.find(({ channels }) => channels.includes(channel));
  if (!adapter) throw new Error(`No adapter serves the channel ${channel}.`);
  return adapter;
}

export class ConnectedSenders extends MessageSenders {
  constructor(private readonly senders: readonly MessageSender[]) {
    super();
  }

  of(channel: Channel): MessageSender {
    return servantOf(this.senders, channel);
  }
}

class ConnectedGateways extends TemplateGateways {
  constructor(private readonly gateways: readonly TemplateGateway[]) {
    super();
  }

  of(channel: Channel): TemplateGateway {
    return servantOf(this.gateways, channel);
  }
}

class ConnectedProbes extends NumberProbes {
  constructor(private readonly probes: readonly NumberProbe[]) {
    super();
  }

  of(channel: Channel): NumberProbe {
    return servantOf(this.probes, channel);
  }
}

/** The adapters behind the domain's ports: messengers, the model, and tenants' tools. */
@Module({})
export class IntegrationsModule {
  static forSettings({
    messengers,
    model,
    media,
    transcription,
    toolsReachThisMachine: mayReachThisMachine,
  }: Pick<
    Settings,
    'messengers' | 'model' | 'media' | 'transcription' | 'toolsReachThisMachine'
  >): DynamicModule {
    const version = messengers.cloud.apiVersion;
    return {
      module: IntegrationsModule,
      global: true,
      providers: [
        { provide: WebhookReaders, useClass: ProviderWebhookReaders },
        { provide: ProviderClients, useFactory: () => new ProviderClients(messengers) },
        {
          provide: MessageSenders,
          inject: [ProviderClients],
          useFactory: ({ cloud, gupshup }: ProviderClients) =>
            new ConnectedSenders([
              new CloudMessageSender(cloud, version, new CloudFileUpload(messengers.cloud.apiUrl, version)),
              new GupshupMessageSender(gupshup),
            ]),
        },
        {
          provide: TemplateGateways,
          inject: [ProviderClients],
          useFactory: ({ cloud, gupshup }: ProviderClients) =>
            new ConnectedGateways([
              new CloudTemplateGateway(cloud, version, new CloudFileUpload(messengers.cloud.apiUrl, version)),
              new GupshupTemplateGateway(gupshup),
            ]),
        },
        {
          provide: NumberProbes,
          inject: [ProviderClients],
          useFactory: ({ cloud, gupshup }: ProviderClients) =>
            new ConnectedProbes([new CloudNumberProbe(cloud, version), new GupshupNumberProbe(gupshup)]),
        },
        {
          provide: LanguageModel,
          useFactory: () =>
            new OpenAiLanguageModel(model, { ...MODEL_LIMITS, firstByteMs: model.firstByteMs }),
        },
        {
          provide: MediaDownloads,
          inject: [ProviderClients],
          useFactory: (clients: ProviderClients) =>
            new ProviderMediaDownloads(clients, messengers, mayReachThisMachine),
        },
        { provide: MediaInspector, useClass: FileMediaInspector },
        { provide: MediaStore, useFactory: () => mediaStoreOf(media) },
        { provide: Transcriber, useFactory: () => new OpenAiTranscriber(transcription) },
        { provide: LeadFiles, useClass: CsvLeadFiles },
        { provide: HttpToolCaller, useFactory: () => new GuardedToolCaller({ mayReachThisMachine }) },
        { provide: WebhookSender, useFactory: () => new GuardedWebhookSender({ mayReachThisMachine }) },
      ],
      exports: [
        HttpToolCaller,
        LanguageModel,
        LeadFiles,
        MediaDownloads,
        MediaInspector,
        MediaStore,
        MessageSenders,
        NumberProbes,
        ProviderClients,
        TemplateGateways,
        Transcriber,
        WebhookReaders,
        WebhookSender,
      ],
    };
  }
}
