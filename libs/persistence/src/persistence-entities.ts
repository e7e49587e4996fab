import {
  EndpointDeliveryEntity,
  EndpointQueueEntity,
  WebhookEndpointEntity,
} from './webhooks-out/webhook-endpoint.entity';
import { AccountEntity, QuotaUsageEntity } from './accounts/account.entity';
import { ApiKeyEntity, RateCounterEntity, RateWindowEntity } from './accounts/keys/api-key.entity';
import {
  InvitationEntity,
  RecoveryCodeEntity,
  SignInTriesEntity,
  UserSessionEntity,
  UserEntity,
} from './accounts/people/user.entity';
import { ReplyEntity } from './agent/reply.entity';
import { AssistantToolEntity, AssistantEntity, StageEntity } from './assistants/assistant.entity';
import { AuditEntryEntity } from './audit/audit-entry.entity';
import { BotChannelEntity, BotEntity } from './bots/bot.entity';
import { MediaFileEntity, MediaUsageEntity, MediaEntity } from './media/media.entity';
import { BatchEntity } from './messages/batches/batch.entity';
import { IdempotencyKeyEntity } from './messages/sending/idempotency-key.entity';
import { MessageEntity, KeptOptOutEntity, ParkedStateEntity } from './messages/dialog/message.entity';
import { ScenarioQueueEntity, ScenarioRunEntity } from './scenarios/runs/scenario-run.entity';
import {
  ScenarioRevisionEntity,
  ScenarioSecretEntity,
  ScenarioEntity,
} from './scenarios/definition/scenario.entity';
import {
  FigureMessageEntity,
  FigurePositionEntity,
  FigureRangeEntity,
  FigureStayEntity,
} from './figures/figure.entity';
import { TemplateEntity } from './templates/template.entity';
import { EventEntity } from './events/event.entity';
import {
  SearchQueueEntity,
  ThreadSearchEntity,
  ThreadAddressEntity,
  ThreadEntity,
} from './threads/thread.entity';
import { ImportChunkEntity, ImportEntity } from './transfer/import.entity';
import { ErasureRetryEntity } from './privacy/erasure-retry.entity';
import { ProcessHeartbeatEntity, SendingHoldEntity } from './work/heartbeat.entity';
import {
  WebhookDeliveryEntity,
  WebhookMarkEntity,
  WebhookRejectEntity,
} from './webhooks/webhook-delivery.entity';

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
