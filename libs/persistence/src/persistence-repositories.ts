import { EndpointDisablingRepository } from './webhooks-out/endpoint-disabling.repository';
import { EndpointQueueRepository } from './webhooks-out/endpoint-queue.repository';
import { LoggedEventRepository } from './webhooks-out/logged-event.repository';
import { DeliveryListRepository } from './webhooks-out/delivery-list.repository';
import { ReplayRepository } from './webhooks-out/replay.repository';
import { WebhookEndpointRepository } from './webhooks-out/webhook-endpoint.repository';
import { AccountRepository } from './accounts/account.repository';
import { AdmissionRepository } from './accounts/keys/admission.repository';
import { CredentialRepository } from './accounts/people/credential.repository';
import { SessionAdmissionRepository } from './accounts/people/session-admission.repository';
import { SignInTriesRepository } from './accounts/people/sign-in-tries.repository';
import { QuotaNoticeRepository } from './messages/batches/quota-notice.repository';
import { UserRepository } from './accounts/people/user.repository';
import { UserSessionRepository } from './accounts/people/user-session.repository';
import { ApiKeyRepository } from './accounts/keys/api-key.repository';
import { ThreadContextRepository } from './agent/thread-context.repository';
import { ReplyPartRepository } from './agent/reply-part.repository';
import { ReplyRepository } from './agent/reply.repository';
import { TakeoverRepository } from './agent/takeover.repository';
import { AiSwitchRepository } from './ai-switch/ai-switch.repository';
import { AssistantToolRepository } from './assistants/assistant-tool.repository';
import { AssistantRepository } from './assistants/assistant.repository';
import { StageRepository } from './assistants/stage.repository';
import { AuditErasureRepository } from './audit/audit-erasure.repository';
import { AuditRepository } from './audit/audit.repository';
import { BoardRepository } from './board/board.repository';
import { FeedRepository } from './board/feed.repository';
import { BotChannelRepository } from './bots/bot-channel.repository';
import { BotTroubleRepository } from './bots/bot-trouble.repository';
import { BotRepository } from './bots/bot.repository';
import { FigureCountRepository } from './figures/figure-count.repository';
import { FigureRangeRepository } from './figures/figure-range.repository';
import { FigureRepository } from './figures/figure.repository';
import { CustomerWebhookRepository } from './privacy/customer-webhook.repository';
import { ThreadRecordRepository } from './privacy/thread-record.repository';
import { ErasureRepository } from './privacy/erasure.repository';
import { NamedRejectRepository } from './privacy/named-reject.repository';
import { ParkedErasureRepository } from './privacy/parked-erasure.repository';
import { RetentionRepository } from './privacy/retention.repository';
import { HeldWorkRepository } from './backup/held-work.repository';
import { HealthRepository } from './database/health.repository';
import { TableStatisticsRepository } from './database/table-statistics.repository';
import { ArchivedStageRepository } from './scenarios/stages/archived-stage.repository';
import { DialogRunsRepository } from './scenarios/runs/dialog-runs.repository';
import { RunControlRepository } from './scenarios/runs/run-control.repository';
import { RunListRepository } from './scenarios/runs/run-list.repository';
import { RunWakesRepository } from './scenarios/runs/run-wakes.repository';
import { WaitingRowsRepository } from './sweeps/waiting-rows.repository';
import { ScenarioRepository } from './scenarios/definition/scenario.repository';
import { ScenarioStartRepository } from './scenarios/runs/scenario-start.repository';
import { ScenarioTrialRepository } from './scenarios/definition/scenario-trial.repository';
import { RunQueueRepository } from './scenarios/runs/run-queue.repository';
import { ScenarioSecretRepository } from './scenarios/definition/scenario-secret.repository';
import { HistoryRepository } from './leads/history.repository';
import { LeadEditRepository } from './leads/lead-edit.repository';
import { LeadRepository } from './leads/lead.repository';
import { MediaFileRepository } from './media/media-file.repository';
import { MediaRepository } from './media/media.repository';
import { BatchRepository } from './messages/batches/batch.repository';
import { TranscriptRepository } from './messages/dialog/transcript.repository';
import { FetchedMediaRepository } from './messages/dialog/fetched-media.repository';
import { UnsentUploadsRepository } from './messages/dialog/unsent-uploads.repository';
import { ShownMediaRepository } from './messages/dialog/shown-media.repository';
import { IdempotencyRepository } from './messages/sending/idempotency.repository';
import { SendQueueRepository } from './messages/batches/send-queue.repository';
import { ControlRepository } from './messages/incoming/handover.repository';
import { CustomerRepository } from './messages/incoming/customer.repository';
import { DeliveryStateRepository } from './messages/delivery/delivery-state.repository';
import { IncomingRepository } from './messages/incoming/incoming.repository';
import { RevisionRepository } from './messages/delivery/revision.repository';
import { OptOutRepository } from './messages/incoming/opt-out.repository';
import { OutboxRepository } from './messages/sending/outbox.repository';
import { OutcomeRepository } from './messages/delivery/outcome.repository';
import { MessageSettlingRepository } from './messages/delivery/message-settling.repository';
import { BatchListRepository } from './messages/batches/batch-list.repository';
import { SentMessageRepository } from './messages/sending/sent-message.repository';
import { ThreadChannelRepository } from './messages/sending/thread-channel.repository';
import { BotOwnerRepository } from './messages/sending/bot-owner.repository';
import { ChannelConnectionRepository } from './messages/sending/channel-connection.repository';
import { TemplateListRepository } from './templates/template-list.repository';
import { TemplateModerationRepository } from './templates/template-moderation.repository';
import { TemplateRepository } from './templates/template.repository';
import { NumberSecretRepository } from './webhooks/number-secret.repository';
import { WebhookChannelRepository } from './webhooks/webhook-channel.repository';
import { WebhookDeliveryRepository } from './webhooks/webhook-delivery.repository';
import { SendingHoldRepository } from './work/sending-hold.repository';
import { WebhookRejectRepository } from './webhooks/webhook-reject.repository';
import { ImportRepository } from './transfer/import.repository';
import { ImportWorkRepository } from './transfer/import-work.repository';
import { MessageListRepository } from './messages/dialog/message-list.repository';
import { NoteRepository } from './messages/dialog/note.repository';
import { ReadingRepository } from './messages/dialog/reading.repository';
import { ThreadRepository } from './threads/thread.repository';
import { ThreadListRepository } from './threads/thread-list.repository';
import { ThreadSearchRepository } from './threads/thread-search.repository';

/** All repositories: what the module provides and exports. */
export const REPOSITORIES = [
  DeliveryListRepository,
  ReplayRepository,
  WebhookEndpointRepository,
  AuditErasureRepository,
  AuditRepository,
  AccountRepository,
  AdmissionRepository,
  CredentialRepository,
  SessionAdmissionRepository,
  SignInTriesRepository,
  QuotaNoticeRepository,
  UserRepository,
  UserSessionRepository,
  AiSwitchRepository,
  ApiKeyRepository,
  ArchivedStageRepository,
  AssistantRepository,
  AssistantToolRepository,
  BoardRepository,
  BotChannelRepository,
  BotOwnerRepository,
  BotRepository,
  BotTroubleRepository,
  ChannelConnectionRepository,
  ControlRepository,
  CustomerRepository,
  DialogRunsRepository,
  RunControlRepository,
  RunListRepository,
  RunQueueRepository,
  RunWakesRepository,
  ScenarioRepository,
  WaitingRowsRepository,
  ScenarioSecretRepository,
  ScenarioStartRepository,
  ScenarioTrialRepository,
  ThreadContextRepository,
  DeliveryStateRepository,
  FeedRepository,
  FigureCountRepository,
  FigureRangeRepository,
  FigureRepository,
  ErasureRepository,
  NamedRejectRepository,
  ParkedErasureRepository,
  ThreadRecordRepository,
  RetentionRepository,
  CustomerWebhookRepository,
  HealthRepository,
  HeldWorkRepository,
  TableStatisticsRepository,
  HistoryRepository,
  LeadEditRepository,
  IdempotencyRepository,
  ImportRepository,
  ImportWorkRepository,
  IncomingRepository,
  RevisionRepository,
  SendQueueRepository,
  SendingHoldRepository,
  LeadRepository,
  BatchRepository,
  FetchedMediaRepository,
  TranscriptRepository,
  UnsentUploadsRepository,
  ShownMediaRepository,
  MediaFileRepository,
  MediaRepository,
  MessageListRepository,
  OptOutRepository,
  OutboxRepository,
  OutcomeRepository,
  ReplyPartRepository,
  ReplyRepository,
  TakeoverRepository,
  MessageSettlingRepository,
  BatchListRepository,
  SentMessageRepository,
  StageRepository,
  TemplateListRepository,
  TemplateModerationRepository,
  TemplateRepository,
  ThreadChannelRepository,
  NoteRepository,
  ReadingRepository,
  ThreadRepository,
  ThreadListRepository,
  ThreadSearchRepository,
  EndpointDisablingRepository,
  EndpointQueueRepository,
  LoggedEventRepository,
  NumberSecretRepository,
  WebhookChannelRepository,
  WebhookDeliveryRepository,
  WebhookRejectRepository,
];
