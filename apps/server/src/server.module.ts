import type { Settings } from '@app/config/settings.config';
import { AgentLimits } from '@app/domain/agent/agent.limits';
import { WebhookAddresses } from '@app/domain/bots/webhook.addresses';
import { DomainModule } from '@app/domain/domain.module';
import { queueConnection } from '@app/domain/jobs/job.connections';
import { QueueModule } from '@app/integrations/queue/queue.module';
import { IntegrationsModule } from '@app/integrations/integrations.module';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { LoggerModule } from 'nestjs-pino';
import { AccountsModule } from './accounts/accounts.module';
import { ReplyJob } from './agent/reply.job';
import { AiSwitchModule } from './ai-switch/ai-switch.module';
import { AssistantsModule } from './assistants/assistants.module';
import { BoardModule } from './board/board.module';
import { BotsModule } from './bots/bots.module';
import { CipherModule } from './cipher.module';
import { HealthModule } from './health/health.module';
import { MetricsToken } from './health/metrics.controller';
import { AdmissionGuard, NoThrottlerStorage } from './http/admission.guard';
import { DtoPipe } from './http/dto.pipe';
import { ErrorFilter } from './http/error.filter';
import { JsonBodyGuard } from './http/json-body.guard';
import type { JobEdge } from './jobs/job.edge';
import { JobsModule } from './jobs/jobs.module';
import { WorkerNoticesModule } from './jobs/worker-notices.module';
import { LeadsModule } from './leads/leads.module';
import { MessagesModule } from './messages/messages.module';
import { SendLaneJob } from './messages/send-lane.job';
import { loggerOptions } from './logs/logger.options';
import { PublicUrl } from './public.url';
import { SettingsModule } from './settings.module';
import { TemplatesModule } from './templates/templates.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { TakeWebhookJob } from './webhooks/take-webhook.job';
import { ThreadsModule } from './threads/threads.module';

const WINDOW_MS = 60_000;

/** Background work, which runs where ROLE is worker or all; each lies beside its feature's controller. */
const EDGES: readonly Type<JobEdge>[] = [ReplyJob, SendLaneJob, TakeWebhookJob];

/** The whole process, put together from its settings. */
@Module({})
export class ServerModule {
  /** @param edges instead of the features' own, for tests of what they stand on. */
  static forSettings(settings: Settings, edges = EDGES): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        LoggerModule.forRoot(loggerOptions(settings.logLevel)),
        SettingsModule.with([
          { provide: PublicUrl, useValue: { value: settings.publicUrl } satisfies PublicUrl },
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
          rateLimits: settings.rateLimits,
          providerTimeoutMs: settings.messengers.timeoutMs,
          agent: new AgentLimits(settings.model.baseUrl !== null, settings.model.replyDelayMs),
        }),
        QueueModule.forDatabase({
          connection: queueConnection(settings.databaseUrl),
          works: settings.role !== 'api',
        }),
        ThrottlerModule.forRoot({
          // Demanded, but never read: AdmissionGuard has both counters of a key counted by the database.
          throttlers: [{ name: 'default', ttl: WINDOW_MS, limit: settings.rateLimits.general }],
          storage: new NoThrottlerStorage(),
        }),
        HealthModule,
        settings.role === 'api' ? JobsModule.running([], false) : JobsModule.running(edges, true),
        ...(settings.role === 'worker'
          ? [WorkerNoticesModule]
          : [
              LeadsModule,
              AiSwitchModule,
              MessagesModule,
              TemplatesModule,
              ThreadsModule,
              AssistantsModule,
              BotsModule,
              AccountsModule,
              BoardModule,
              WebhooksModule.forProviders(settings.messengers),
            ]),
      ],
      providers: [
        { provide: APP_GUARD, useClass: AdmissionGuard },
        { provide: APP_GUARD, useClass: JsonBodyGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
