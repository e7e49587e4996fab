import type { Settings } from '@app/config/settings-config';
import { InvitationLinks } from '@app/domain/accounts/people/users.service';
import { SecretCipher } from '@app/domain/accounts/secret-cipher.port';
import { AgentLimits } from '@app/domain/agent/reply-run';
import { WebhookAddresses } from '@app/domain/bots/webhook-addresses';
import { DomainModule } from '@app/domain/domain.module';
import { EventNotices } from '@app/domain/events/event-notifier.service';
import { FileLinks } from '@app/domain/media/media-store.port';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { IntegrationsModule } from '@app/integrations/integrations.module';
import { Module, type DynamicModule, type ValueProvider, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { LoggerModule } from 'nestjs-pino';
import { invitationLinks, PublicUrl } from './public-url';
import { ApiModule } from './api.module';
import { BoardModule } from './board/board.module';
import { HealthModule } from './health/health.module';
import { AdmissionGuard, NoThrottlerStorage } from './http/auth/admission.guard';
import { OriginRule } from './http/auth/origin.rules';
import { RefusalAudit } from './http/auth/refusal-audit';
import { SessionCookie, SessionSecret } from './http/auth/session-cookie';
import { ArrivedBodies } from './http/body/json-body';
import { JsonBodyGuard } from './http/body/json-body.guard';
import { DtoPipe } from './http/dto/dto-pipe';
import { ErrorFilter } from './http/errors/error-filter';
import { loggerOptions } from './logs/logger-options';
import { fileLinks } from './media/file-links';
import { MetricsToken, MetricsModule } from './metrics/metrics.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { ALL_WORKERS, WorkModule } from './work/work.module';

/** Seals the credentials of numbers with the installation's key. */
@Module({})
class CipherModule {
  static withKey(encryptionKey: string): DynamicModule {
    return {
      module: CipherModule,
      global: true,
      providers: [{ provide: SecretCipher, useValue: new AesChannelCipher(encryptionKey) }],
      exports: [SecretCipher],
    };
  }
}

/** Values of the settings, under the tokens by which features inject them. */
@Module({})
class SettingsModule {
  static with(values: ValueProvider[]): DynamicModule {
    return { module: SettingsModule, global: true, providers: values, exports: values };
  }
}

/** For a process without boards: it notifies others of its commits and reads no event log. */
@Module({})
class EventNoticesModule implements OnApplicationBootstrap {
  constructor(private readonly notices: EventNotices) {}

  onApplicationBootstrap(): void {
    this.notices.start();
  }
}

const WINDOW_MS = 60_000;

/** The whole process, composed from its settings. */
@Module({})
export class ServerModule {
  /**
   * @param workers replace the features' workers, in tests of the layer below
   */
  static forSettings(settings: Settings, workers = ALL_WORKERS): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        LoggerModule.forRoot(loggerOptions(settings.logLevel)),
        SettingsModule.with([
          { provide: PublicUrl, useValue: { value: settings.publicUrl } satisfies PublicUrl },
          { provide: SessionSecret, useValue: { value: settings.sessionSecret } satisfies SessionSecret },
          { provide: InvitationLinks, useValue: invitationLinks(settings.publicUrl) },
          { provide: FileLinks, useValue: fileLinks(settings.providersUrl, settings.sessionSecret) },
          { provide: MetricsToken, useValue: { value: settings.metricsToken } satisfies MetricsToken },
          {
            provide: WebhookAddresses,
            useValue: {
              publicUrl: settings.publicUrl,
              gupshupToken: settings.messengers.gupshup.webhookToken,
            } satisfies WebhookAddresses,
          },
        ]),
        CipherModule.withKey(settings.encryptionKey),
        IntegrationsModule.forSettings(settings),
        DomainModule.forDatabase({
          databaseUrl: settings.databaseUrl,
          encryptionKey: settings.encryptionKey,
          rateLimits: settings.rateLimits,
          caps: settings.caps,
          providerTimeoutMs: settings.messengers.timeoutMs,
          agent: new AgentLimits(
            settings.model.baseUrl !== null,
            settings.model.replyDelayMs,
            settings.model.repliesPerAccount,
            settings.transcription !== null,
            settings.transcriptionWaitMs,
          ),
        }),
        ThrottlerModule.forRoot({
          // Required by the library but never read: AdmissionGuard has the database count both counters of a key.
          throttlers: [{ name: 'default', ttl: WINDOW_MS, limit: settings.rateLimits.general }],
          storage: new NoThrottlerStorage(),
        }),
        HealthModule,
        MetricsModule,
        WorkModule.forRole(settings.role, workers),
        ...(settings.role === 'worker'
          ? [EventNoticesModule]
          : [ApiModule, BoardModule, WebhooksModule.forProviders(settings.messengers)]),
      ],
      providers: [
        { provide: APP_GUARD, useClass: AdmissionGuard },
        { provide: APP_GUARD, useClass: JsonBodyGuard },
        ArrivedBodies,
        OriginRule,
        RefusalAudit,
        SessionCookie,
        DtoPipe,
        { provide: APP_PIPE, useExisting: DtoPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
