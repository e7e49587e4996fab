import { optOutKey } from '@app/persistence/messages/dialog/erased.statements';
import { PersistenceModule } from '@app/persistence/persistence.module';
import { Module, type DynamicModule } from '@nestjs/common';
import { AccountCaps, NO_CAPS } from './accounts/account-caps';
import { AccountsService } from './accounts/accounts.service';
import { AdmissionService, RateLimits } from './accounts/keys/admission.service';
import { ApiKeysService } from './accounts/keys/api-keys.service';
import { InvitationLinks, UsersService, WorkplaceService } from './accounts/people/users.service';
import { PasswordHasher } from './accounts/people/password-hasher';
import { Principals } from './accounts/principals.service';
import { SecondFactors } from './accounts/people/second-factors.service';
import { SessionsService } from './accounts/people/sessions.service';
import { SignInService } from './accounts/people/sign-in.service';
import { SignInTries } from './accounts/people/sign-in-tries';
import { AgentLimits, ReplyCounts } from './agent/reply-run';
import { ReplyAbility } from './leads/reply-ability';
import { CustomToolsService } from './agent/custom-tools.service';
import { LeadTools } from './agent/lead-tools';
import { Replies } from './agent/replies.service';
import { ReplySpeech, Typing } from './agent/reply-speech';
import { ReplyTrials } from './agent/reply-trials.service';
import { ReplyWatch } from './agent/reply-watch';
import { AiSwitchService, SendPermits } from './ai-switch/ai-switch.service';
import { AssistantToolsService } from './assistants/assistant-tools.service';
import { AssistantsService } from './assistants/assistants.service';
import { StageEmptying } from './assistants/stage-emptying.service';
import { StagesService } from './assistants/stages.service';
import { AuditLists } from './audit/audit-lists.service';
import { Audit } from './audit/audit.service';
import { BoardFeed } from './board/board-feed.service';
import { BoardColumns } from './board/board-columns.service';
import { BoardService } from './board/board.service';
import { BoardViews } from './board/board-views.service';
import { FilteredCards } from './board/filtered-cards.service';
import { PresenceNotices } from './board/presence-notices';
import { PresenceService } from './board/presence.service';
import { BotsService } from './bots/bots.service';
import { NumberOwnership } from './bots/number-ownership.service';
import { NumberTests } from './bots/number-tests.service';
import { PhoneCountries } from './bots/phone-countries.service';
import { ColumnTotalsCache } from './board/column-totals';
import { EventNotifier, EventNotices } from './events/event-notifier.service';
import { EndpointNotifier } from './webhooks-out/sending/endpoint-notifier';
import { ErasedThreads } from './leads/erased-threads';
import { ErasureService } from './privacy/erasure.service';
import { ThreadExports } from './privacy/thread-export.service';
import { UnusedDialogs } from './privacy/unused-dialogs.service';
import { FigureCounting } from './figures/figures.worker';
import { FiguresService } from './figures/figures.service';
import { HealthService } from './health/health.service';
import { MediaFetching } from './media/media-fetching.service';
import { Transcription } from './media/transcription.service';
import { MediaPreviews, ShownPictures } from './media/media-previews.service';
import { SendableFiles, MediaReading } from './media/media-reading.service';
import { MediaUploads } from './media/media-uploads.service';
import { MediaNotices, MediaFiles } from './media/media-files.service';
import { FileGiving, OutgoingFiles } from './messages/sending/file-giving.service';
import { BotTroubles } from './messages/delivery/bot-troubles.service';
import {
  BatchClosing,
  BatchNotifier,
  BatchWaiting,
  UnpaidBatches,
} from './messages/batches/batch-progress.service';
import { IdempotentAnswers } from './messages/sending/idempotent-answers.service';
import { MessageDispatcher } from './messages/dispatch/message-dispatcher.service';
import { SendQueueClaims } from './messages/batches/send-queue-claims.service';
import { QuotaNotices } from './messages/batches/send-queue.worker';
import { SendQueues } from './messages/batches/send-queues.service';
import { SendPacers } from './messages/dispatch/send-pacer';
import { MessageSettling, DeliveryStates } from './messages/delivery/delivery-states.service';
import { SentMessages } from './messages/dialog/sent-messages.service';
import { SingleSending } from './messages/sending/single-sending.service';
import { TemplateRecipients } from './messages/sending/template-recipients.service';
import { TemplateSending } from './messages/sending/template-sending.service';
import { TextSending } from './messages/sending/text-sending.service';
import { MessengerLimits } from './messages/sending/messenger-limits';
import { HistoryService } from './leads/history.service';
import { LeadEdits } from './leads/lead-edits.service';
import { RunPermits } from './leads/run-permits';
import { CallErrands } from './scenarios/effects/call-errand';
import { MessageErrands } from './scenarios/effects/message-errand';
import { RunControl } from './scenarios/runs/run-control.service';
import { RunLists } from './scenarios/runs/run-lists.service';
import { RunPaces } from './scenarios/runs/run-paces';
import { LateErrands } from './scenarios/effects/late-errands';
import { ScenarioCounts } from './scenarios/definition/scenario-counts';
import { StartForecast } from './leads/start-forecast.port';
import { ScenarioForecast } from './scenarios/trial/scenario-forecast';
import { RunWakes } from './scenarios/runs/scenario.worker';
import { ScenariosService } from './scenarios/definition/scenarios.service';
import { ScenarioSecrets } from './scenarios/definition/scenario-secrets.service';
import { ScenarioStarts } from './scenarios/runs/scenario-starts.service';
import { ScenarioTrials } from './scenarios/trial/scenario-trials.service';
import { ScenarioRuns } from './scenarios/runs/scenario-runs.service';
import { LeadsService } from './leads/leads.service';
import { BotAccess } from './messages/sending/bot-access';
import { SecretCipher } from './accounts/secret-cipher.port';
import { ChannelConnections } from './messages/sending/channel-connections.service';
import { TemplateModerationService } from './templates/template-moderation.service';
import { TemplateSamples } from './templates/template-samples.service';
import { TemplatesService } from './templates/templates.service';
import { ErasedItems } from './webhooks/erased-items';
import { NumberSecrets } from './webhooks/number-secrets.service';
import { WebhookIntake } from './webhooks/webhook-intake.service';
import { MessageRevisions } from './webhooks/message-revisions.service';
import {
  WebhookItemIntake,
  INBOUND_EVENT_HANDLERS,
  InboundEventHandler,
} from './webhooks/inbound-event.handler';
import { EndpointDeliveries } from './webhooks-out/endpoints/endpoint-deliveries.service';
import { EndpointReplays } from './webhooks-out/endpoints/endpoint-replays.service';
import { EndpointDisabling } from './webhooks-out/endpoints/endpoint-disabling.service';
import { EndpointTests } from './webhooks-out/endpoints/endpoint-tests.service';
import { WebhookEndpoints } from './webhooks-out/endpoints/webhook-endpoints.service';
import { WebhookReview } from './webhooks/webhook-review.service';
import { OptOuts } from './messages/dialog/opt-outs.service';
import { WebhookSources } from './webhooks/webhook-source';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.service';
import { WebhookRejects } from './webhooks/webhook-rejects.service';
import { DialogNotes, DialogReading } from './messages/dialog/dialog-reading.service';
import { MessageListsService } from './messages/dialog/message-lists.service';
import { NamedThings } from './threads/named-things.service';
import { ThreadsService } from './threads/threads.service';
import { ImportTurns } from './transfer/import-turns.service';
import { LeadExports } from './transfer/lead-exports.service';
import { LeadImports } from './transfer/lead-imports.service';
import { Retention } from './retention/retention.service';
import { WorkCounts } from './work/work-counts';
import { TableStatisticsRenewal } from './work/repeated-sweep';
import { HeldWork } from './backup/held-work.service';
import { SendingHoldAudit } from './audit/sending-hold-audit';
import { SendingHold } from './work/sending-hold.service';
import { WorkNotifier } from './work/work-notifier';

export interface DomainOptions {
  databaseUrl: string;
  rateLimits: RateLimits;
  caps: AccountCaps;
  /** Longest wait for a provider's answer, in milliseconds. */
  providerTimeoutMs: number;
  agent: AgentLimits;
  /** The installation's key, in hexadecimal digits. */
  encryptionKey: string;
}

const SERVICES = [
  AccountsService,
  AdmissionService,
  AiSwitchService,
  ApiKeysService,
  AssistantToolsService,
  AssistantsService,
  Audit,
  AuditLists,
  PasswordHasher,
  Principals,
  SecondFactors,
  SessionsService,
  SignInService,
  SignInTries,
  UsersService,
  WorkplaceService,
  BatchClosing,
  BotTroubles,
  QuotaNotices,
  BatchNotifier,
  BatchWaiting,
  BoardFeed,
  BoardColumns,
  BoardService,
  BoardViews,
  FilteredCards,
  PresenceNotices,
  PresenceService,
  BotAccess,
  BotsService,
  NumberOwnership,
  NumberTests,
  PhoneCountries,
  ChannelConnections,
  ColumnTotalsCache,
  CustomToolsService,
  DeliveryStates,
  InboundEventHandler,
  EventNotifier,
  EndpointNotifier,
  EventNotices,
  ErasureService,
  ThreadExports,
  ErasedThreads,
  UnusedDialogs,
  FigureCounting,
  FiguresService,
  SendPermits,
  HealthService,
  HistoryService,
  LeadEdits,
  IdempotentAnswers,
  ImportTurns,
  LeadExports,
  LeadImports,
  LeadsService,
  MediaFetching,
  Transcription,
  MediaFiles,
  MediaNotices,
  MediaPreviews,
  ShownPictures,
  MediaReading,
  MediaUploads,
  FileGiving,
  { provide: OutgoingFiles, useClass: SendableFiles },
  MessageDispatcher,
  MessageListsService,
  DialogNotes,
  DialogReading,
  OptOuts,
  SendQueueClaims,
  LeadTools,
  RunPermits,
  RunPaces,
  RunControl,
  RunLists,
  MessageErrands,
  CallErrands,
  ScenarioRuns,
  RunWakes,
  ScenariosService,
  ScenarioSecrets,
  ScenarioStarts,
  ScenarioTrials,
  LateErrands,
  ScenarioCounts,
  { provide: StartForecast, useClass: ScenarioForecast },
  Replies,
  ReplySpeech,
  SendQueues,
  SendingHold,
  SendingHoldAudit,
  SendPacers,
  MessageSettling,
  SentMessages,
  SingleSending,
  WebhookSources,
  StageEmptying,
  StagesService,
  TemplateModerationService,
  TemplateSamples,
  TemplateRecipients,
  TemplateSending,
  TemplatesService,
  TextSending,
  NamedThings,
  ThreadsService,
  ReplyCounts,
  ReplyTrials,
  ReplyWatch,
  Typing,
  UnpaidBatches,
  Retention,
  TableStatisticsRenewal,
  WebhookDeliveries,
  NumberSecrets,
  WebhookIntake,
  WebhookItemIntake,
  MessageRevisions,
  ErasedItems,
  WebhookRejects,
  WebhookReview,
  WebhookEndpoints,
  EndpointDeliveries,
  EndpointReplays,
  EndpointDisabling,
  EndpointTests,
  WorkCounts,
  WorkNotifier,
  ...INBOUND_EVENT_HANDLERS,
];

/** All services of the product over one database. */
@Module({})
export class DomainModule {
  static forDatabase(options: DomainOptions): DynamicModule {
    const { databaseUrl, rateLimits, caps, providerTimeoutMs, agent, encryptionKey } = options;
    return {
      module: DomainModule,
      global: true,
      imports: [PersistenceModule.forDatabase(databaseUrl, [optOutKey(encryptionKey)])],
      providers: [
        { provide: RateLimits, useValue: rateLimits },
        { provide: AccountCaps, useValue: caps },
        { provide: AgentLimits, useValue: agent },
        {
          provide: ReplyAbility,
          inject: [SecretCipher],
          useFactory: ({ keyId }: SecretCipher) => new ReplyAbility(agent.answers, keyId),
        },
        { provide: MessengerLimits, useValue: new MessengerLimits(providerTimeoutMs) },
        ...SERVICES,
      ],
      exports: SERVICES,
    };
  }

  /** What ends a hold on sending, for a command: nothing of it sends, listens or works in the background. */
  static forResuming(databaseUrl: string): DynamicModule {
    return {
      module: DomainModule,
      imports: [PersistenceModule.forDatabase(databaseUrl)],
      providers: [HeldWork, Audit],
      exports: [HeldWork],
    };
  }

  /** The accounts and their keys alone, for commands: nothing of it sends, listens or works in the background. */
  static forAdministration(databaseUrl: string, links: InvitationLinks): DynamicModule {
    return {
      module: DomainModule,
      imports: [PersistenceModule.forDatabase(databaseUrl)],
      providers: [
        AccountsService,
        ApiKeysService,
        Audit,
        UsersService,
        { provide: InvitationLinks, useValue: links },
        { provide: AccountCaps, useValue: NO_CAPS },
      ],
      exports: [AccountsService, ApiKeysService, UsersService],
    };
  }
}
