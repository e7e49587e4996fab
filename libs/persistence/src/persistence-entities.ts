import { EndpointDeliveryEntity } from './webhooks-out/endpoint-delivery.entity';
import { EndpointQueueEntity } from './webhooks-out/endpoint-queue.entity';
import { WebhookEndpointEntity } from './webhooks-out/webhook-endpoint.entity';
import { AccountEntity } from './accounts/account.entity';
import { ApiKeyEntity } from './accounts/keys/api-key.entity';
import { InvitationEntity } from './accounts/people/invitation.entity';
import { QuotaUsageEntity } from './accounts/quota-usage.entity';
import { RateCounterEntity } from './accounts/keys/rate-counter.entity';
import { RateWindowEntity } from './accounts/keys/rate-window.entity';
import { RecoveryCodeEntity } from './accounts/people/recovery-code.entity';
import { SignInTriesEntity } from './accounts/people/sign-in-tries.entity';
import { UserSessionEntity } from './accounts/people/user-session.entity';
import { UserEntity } from './accounts/people/user.entity';
import { ReplyEntity } from './agent/reply.entity';
import { AssistantToolEntity } from './assistants/assistant-tool.entity';
import { AssistantEntity } from './assistants/assistant.entity';
import { StageEntity } from './assistants/stage.entity';
import { AuditEntryEntity } from './audit/audit-entry.entity';
import { BotChannelEntity } from './bots/bot-channel.entity';
import { BotEntity } from './bots/bot.entity';
import { MediaFileEntity } from './media/media-file.entity';
import { MediaUsageEntity } from './media/media-usage.entity';
import { MediaEntity } from './media/media.entity';
import { BatchEntity } from './messages/batches/batch.entity';
import { IdempotencyKeyEntity } from './messages/sending/idempotency-key.entity';
import { MessageEntity } from './messages/dialog/message.entity';
import { KeptOptOutEntity } from './messages/incoming/kept-opt-out.entity';
import { ParkedStateEntity } from './messages/delivery/parked-state.entity';
import { ScenarioQueueEntity } from './scenarios/runs/scenario-queue.entity';
import { ScenarioRevisionEntity } from './scenarios/definition/scenario-revision.entity';
import { ScenarioRunEntity } from './scenarios/runs/scenario-run.entity';
import { ScenarioSecretEntity } from './scenarios/definition/scenario-secret.entity';
import { ScenarioEntity } from './scenarios/definition/scenario.entity';
import { FigureMessageEntity } from './figures/figure-message.entity';
import { FigurePositionEntity } from './figures/figure-position.entity';
import { FigureRangeEntity } from './figures/figure-range.entity';
import { FigureStayEntity } from './figures/figure-stay.entity';
import { TemplateEntity } from './templates/template.entity';
import { EventEntity } from './events/event.entity';
import { SearchQueueEntity, ThreadSearchEntity } from './threads/thread-search.entity';
import { ThreadAddressEntity } from './threads/thread-address.entity';
import { ThreadEntity } from './threads/thread.entity';
import { ImportChunkEntity } from './transfer/import-chunk.entity';
import { ImportEntity } from './transfer/import.entity';
import { ErasureRetryEntity } from './privacy/erasure-retry.entity';
import { ProcessHeartbeatEntity } from './work/process-heartbeat.entity';
import { SendingHoldEntity } from './work/sending-hold.entity';
import { WebhookDeliveryEntity } from './webhooks/webhook-delivery.entity';
import { WebhookMarkEntity } from './webhooks/webhook-mark.entity';
import { WebhookRejectEntity } from './webhooks/webhook-reject.entity';

/** All tables except the ORM's own. */
export const ENTITIES = [
  AccountEntity,
  ApiKeyEntity,
  AssistantEntity,
  AssistantToolEntity,
  AuditEntryEntity,
  BatchEntity,
  BotChannelEntity,
  BotEntity,
  ErasureRetryEntity,
  EventEntity,
  FigureMessageEntity,
  FigurePositionEntity,
  FigureRangeEntity,
  FigureStayEntity,
  EndpointDeliveryEntity,
  EndpointQueueEntity,
  IdempotencyKeyEntity,
  ImportChunkEntity,
  ImportEntity,
  InvitationEntity,
  KeptOptOutEntity,
  MediaEntity,
  MediaFileEntity,
  MediaUsageEntity,
  MessageEntity,
  ParkedStateEntity,
  QuotaUsageEntity,
  RateCounterEntity,
  RateWindowEntity,
  RecoveryCodeEntity,
  ReplyEntity,
  ScenarioEntity,
  ScenarioQueueEntity,
  ScenarioRevisionEntity,
  ScenarioRunEntity,
  ScenarioSecretEntity,
  ProcessHeartbeatEntity,
  SendingHoldEntity,
  SignInTriesEntity,
  StageEntity,
  TemplateEntity,
  SearchQueueEntity,
  ThreadAddressEntity,
  ThreadEntity,
  UserEntity,
  UserSessionEntity,
  ThreadSearchEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookMarkEntity,
  WebhookRejectEntity,
];
