import type { Settings } from '@app/config/settings-config';
import { AgentLimits } from '@app/domain/agent/reply-run';
import { InvitationLinks } from '@app/domain/accounts/people/users.service';
import { WebhookAddresses } from '@app/domain/bots/webhook-addresses';
import { DomainModule } from '@app/domain/domain.module';
import { FileLinks } from '@app/domain/media/media-store.port';
import { IntegrationsModule } from '@app/integrations/integrations.module';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { LoggerModule } from 'nestjs-pino';
import { invitationLinks } from './accounts/invitation-pages';
import { AccountsModule } from './accounts/accounts.module';
import { AuditModule } from './audit/audit.module';
import { AuthModule } from './auth/auth.module';
import { AiSwitchModule } from './ai-switch/ai-switch.module';
import { AssistantsModule } from './assistants/assistants.module';
import { BoardModule } from './board/board.module';
import { BotsModule } from './bots/bots.module';
import { CipherModule } from './cipher.module';
import { FiguresModule } from './figures/figures.module';
import { HealthModule } from './health/health.module';
import { MetricsToken } from './metrics/metrics.controller';
import { MetricsModule } from './metrics/metrics.module';
import { ArrivedBodies } from './http/body/arrived-bodies';
import { AdmissionGuard, NoThrottlerStorage } from './http/auth/admission.guard';
import { OriginRule } from './http/auth/origin.rules';
import { SessionCookie, SessionSecret } from './http/auth/session-cookie';
import { DtoPipe } from './http/dto/dto-pipe';
import { ErrorFilter } from './http/errors/error-filter';
import { RefusalAudit } from './http/auth/refusal-audit';
import { JsonBodyGuard } from './http/body/json-body.guard';
import { LeadsModule } from './leads/leads.module';
import { fileLinks } from './media/file-links';
import { MediaModule } from './media/media.module';
import { MessagesModule } from './messages/messages.module';
import { loggerOptions } from './logs/logger-options';
import { PublicUrl } from './public-url';
import { PrivacyModule } from './privacy/privacy.module';
import { ScenariosModule } from './scenarios/scenarios.module';
import { SettingsModule } from './settings.module';
import { TransferModule } from './transfer/transfer.module';
import { TemplatesModule } from './templates/templates.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { WebhooksOutModule } from './webhooks-out/webhooks-out.module';
import { ThreadsModule } from './threads/threads.module';
import { EventNoticesModule } from './work/event-notices.module';
import { ALL_WORKERS, WorkModule } from './work/work.module';

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
          : [
              LeadsModule,
              AiSwitchModule,
              MediaModule,
              MessagesModule,
              TemplatesModule,
              ThreadsModule,
              TransferModule,
              AssistantsModule,
              ScenariosModule,
              BotsModule,
              AccountsModule,
              AuditModule,
              AuthModule,
              BoardModule,
              FiguresModule,
              PrivacyModule,
              WebhooksOutModule,
              WebhooksModule.forProviders(settings.messengers),
            ]),
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
