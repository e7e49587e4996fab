import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { AccountRepository } from './accounts/account.repository';
import { AdmissionRepository } from './accounts/admission.repository';
import { CredentialRepository } from './accounts/credential.repository';
import { SessionAdmissionRepository } from './accounts/session-admission.repository';
import { SignInTriesRepository } from './accounts/sign-in-tries.repository';
import { UserRepository } from './accounts/user.repository';
import { UserSessionRepository } from './accounts/user-session.repository';
import { ApiKeyRepository } from './accounts/api-key.repository';
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
import { BotRepository } from './bots/bot.repository';
import { connectionTo } from './database/connection.address';
import { CONNECTIONS, SLOTS_OF_ACCOUNTS, SLOTS_TO_SWITCH_OFF } from './database/connection.budget';
import { ConnectionPool } from './database/connection.pool';
import { CONNECTION_LIMITS, dataSourceOptions, driverWith } from './database/data-source.options';
import {
  AdmissionDatabase,
  Database,
  FeedDatabase,
  IntakeDatabase,
  ReservedDatabase,
  WorkDatabase,
} from './database/database.service';
import { Entities } from './database/entities.service';
import { InFlightLimiter } from '@app/contracts/in-flight.limiter';
import { FigureCountRepository } from './figures/figure-count.repository';
import { FigureRangeRepository } from './figures/figure-range.repository';
import { FigureRepository } from './figures/figure.repository';
import { CustomerWebhookRepository } from './webhooks/customer-webhook.repository';
import { ErasedThreadRepository } from './threads/erased-thread.repository';
import { ThreadRecordRepository } from './messages/thread-record.repository';
import { ErasureRepository } from './webhooks/erasure.repository';
import { ParkedErasureRepository } from './webhooks/parked-erasure.repository';
import { RetentionRepository } from './webhooks/retention.repository';
import { HealthRepository } from './database/health.repository';
import { TableStatisticsRepository } from './database/table-statistics.repository';
import { ArchivedStageRepository } from './scenarios/archived-stage.repository';
import { DialogRunsRepository } from './scenarios/dialog-runs.repository';
import { RunControlRepository } from './scenarios/run-control.repository';
import { RunListRepository } from './scenarios/run-list.repository';
import { RunWakesRepository } from './scenarios/run-wakes.repository';
import { ScenarioRepository } from './scenarios/scenario.repository';
import { ScenarioStartRepository } from './scenarios/scenario-start.repository';
import { ScenarioTrialRepository } from './scenarios/scenario-trial.repository';
import { RunQueueRepository } from './scenarios/run-queue.repository';
import { ScenarioSecretRepository } from './scenarios/scenario-secret.repository';
import { HistoryRepository } from './leads/history.repository';
import { LeadEditRepository } from './leads/lead-edit.repository';
import { LeadRepository } from './leads/lead.repository';
import { MediaFileRepository } from './media/media-file.repository';
import { MediaRepository } from './media/media.repository';
import { FetchedMediaRepository } from './messages/fetched-media.repository';
import { UnsentUploadsRepository } from './messages/unsent-uploads.repository';
import { ShownMediaRepository } from './messages/shown-media.repository';
import { IdempotencyRepository } from './messages/idempotency.repository';
import { SendQueueRepository } from './messages/send-queue.repository';
import { CustomerRepository } from './messages/customer.repository';
import { DeliveryStateRepository } from './messages/delivery-state.repository';
import { IncomingRepository } from './messages/incoming.repository';
import { OptOutRepository } from './messages/opt-out.repository';
import { OutboxRepository } from './messages/outbox.repository';
import { OutcomeRepository } from './messages/outcome.repository';
import { MessageSettlingRepository } from './messages/message-settling.repository';
import { SentMessageRepository } from './messages/sent-message.repository';
import { ThreadChannelRepository } from './messages/thread-channel.repository';
import { StatusRepository } from './leads/status.repository';
import { BotOwnerRepository } from './messages/bot-owner.repository';
import { ChannelConnectionRepository } from './messages/channel-connection.repository';
import { TemplateListRepository } from './templates/template-list.repository';
import { TemplateModerationRepository } from './templates/template-moderation.repository';
import { TemplateRepository } from './templates/template.repository';
import { WebhookChannelRepository } from './webhooks/webhook-channel.repository';
import { WebhookDeliveryRepository } from './webhooks/webhook-delivery.repository';
import { WebhookMarkRepository } from './webhooks/webhook-mark.repository';
import { WebhookRejectRepository } from './webhooks/webhook-reject.repository';
import { Notifications } from './work/notifications.connection';
import { MessageListRepository } from './messages/message-list.repository';
import { NoteRepository } from './messages/note.repository';
import { ReadingRepository } from './messages/reading.repository';
import { NewestMessagesRepository } from './messages/newest-messages.repository';
import { ThreadAgentRepository } from './threads/thread-agent.repository';
import { ThreadLockQueues } from './threads/thread-lock.queues';
import { ThreadListRepository } from './threads/thread-list.repository';
import { ThreadSearchRepository } from './threads/thread-search.repository';
import { ENTITIES } from './persistence.entities';

const LOOK_LIMITS = { query_timeout: 3_000, connectionTimeoutMillis: 2_000 };

const REPOSITORIES = [
  AuditErasureRepository,
  AuditRepository,
  AccountRepository,
  AdmissionRepository,
  CredentialRepository,
  SessionAdmissionRepository,
  SignInTriesRepository,
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
  ChannelConnectionRepository,
  CustomerRepository,
  DialogRunsRepository,
  RunControlRepository,
  RunListRepository,
  RunQueueRepository,
  RunWakesRepository,
  ScenarioRepository,
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
  ParkedErasureRepository,
  ThreadRecordRepository,
  ErasedThreadRepository,
  RetentionRepository,
  CustomerWebhookRepository,
  HealthRepository,
  TableStatisticsRepository,
  HistoryRepository,
  LeadEditRepository,
  IdempotencyRepository,
  IncomingRepository,
  SendQueueRepository,
  LeadRepository,
  FetchedMediaRepository,
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
  SentMessageRepository,
  StageRepository,
  StatusRepository,
  TemplateListRepository,
  TemplateModerationRepository,
  TemplateRepository,
  ThreadChannelRepository,
  NewestMessagesRepository,
  NoteRepository,
  ReadingRepository,
  ThreadAgentRepository,
  ThreadListRepository,
  ThreadSearchRepository,
  WebhookChannelRepository,
  WebhookDeliveryRepository,
  WebhookMarkRepository,
  WebhookRejectRepository,
];

/** A pool besides the ORM's, whose sessions have other settings. */
class SidePool extends ConnectionPool {
  constructor(url: string, name: string, size: number, settings: readonly string[], limits: PoolConfig = {}) {
    const ours = { ...CONNECTION_LIMITS, ...limits, max: size, application_name: `leadline ${name}` };
    super(connectionTo(url, ours, settings));
  }
}

/**
 * Without this the planner would plan a statement for each call, which takes longer than running it. And it would plan for
 * the account at hand: one whose rows are newer than the statistics seems to have one row, so that any index that begins
 * with the account looks as good as the one that names the row. To find the runs of a dialog of such an account, which had
 * 10,000 runs, took 65 ms instead of 0.7.
 */
const PLANNED_ONCE = 'plan_cache_mode=force_generic_plan';
/** A plan may be made while a table is empty. Each table is still read by an index when it has grown. */
const BY_INDEX_ALONE = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];

/**
 * The pool of the admission counters, which does not wait for the disk. With 16 connections and one statement for
 * each call of one key, 18,000 calls a second passed instead of 2,740 (measured before calls shared statements). A
 * crash of the database forgets at most the last half second of counting. Plans are kept: a statement then costs
 * about 150 µs instead of 460 (measured). A plan may be made while the windows are still empty, when a sequential
 * scan looks cheapest, so sequential scans are switched off.
 */
class AdmissionPool extends SidePool {
  constructor(url: string) {
    super(url, 'admission', CONNECTIONS.admission, [
      'synchronous_commit=off',
      PLANNED_ONCE,
      'enable_seqscan=off',
    ]);
  }
}

/**
 * The feed's connection, so that reading the log never waits behind the calls whose changes it shows. Planning takes
 * 1 ms, reading 0.2 ms (measured), so plans are kept; every table is read by an index. On a dead connection a read
 * gives up early enough for the next one to keep the five seconds that boards are promised.
 */
class FeedPool extends SidePool {
  constructor(url: string) {
    super(url, 'feed', CONNECTIONS.feed, [PLANNED_ONCE, ...BY_INDEX_ALONE], LOOK_LIMITS);
  }
}

/**
 * The connections by which webhooks are stored, claimed and marked as done. Providers want their answer at once, even
 * while all calls and workers of accounts wait for locks. None of these statements waits for a lock, so few
 * connections are enough. Planning took twice as long as claiming (measured), so plans are kept. A plan may be made
 * while the table is empty, when a sequential scan looks cheapest, so sequential scans are switched off.
 */
class IntakePool extends SidePool {
  constructor(url: string) {
    super(url, 'intake', CONNECTIONS.intake, [PLANNED_ONCE, 'enable_seqscan=off']);
  }
}

/**
 * The connections of what workers do for many accounts at once: messages and delivery states that came together, claims
 * of replies, sweeps. Planning the largest of these statements takes 3 to 8 ms, four times as long as running it for
 * ten messages (measured), and each connection plans it once. So they have a few connections. Only the statement that
 * opens threads waits for a lock, for 20 ms.
 */
class WorkPool extends SidePool {
  constructor(url: string, sessionSettings: readonly string[]) {
    super(url, 'work', CONNECTIONS.work, [PLANNED_ONCE, ...BY_INDEX_ALONE, ...sessionSettings]);
  }
}

/** The connections of what must be quick even while calls and workers wait for locks on the default pool. */
class ReservedPool extends SidePool {
  constructor(url: string) {
    super(url, 'reserved', CONNECTIONS.reserved, [PLANNED_ONCE]);
  }
}

/** Pools and repositories over one database. */
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(
    private readonly admissionPool: AdmissionPool,
    private readonly feedPool: FeedPool,
    private readonly intakePool: IntakePool,
    private readonly workPool: WorkPool,
    private readonly reservedPool: ReservedPool,
  ) {}

  /**
   * @param sessionSettings of the sessions whose statements need them, such as a key
   */
  static forDatabase(url: string, sessionSettings: readonly string[] = []): DynamicModule {
    const ours = { ...CONNECTION_LIMITS, max: CONNECTIONS.default, application_name: 'leadline' };
    const pool = new ConnectionPool(connectionTo(url, ours, [PLANNED_ONCE, ...sessionSettings]));
    const inFlight = new InFlightLimiter(SLOTS_OF_ACCOUNTS);
    return {
      module: PersistenceModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ url, applicationName: 'leadline', poolSize: CONNECTIONS.default }),
          driver: driverWith(pool),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
        TypeOrmModule.forFeature(ENTITIES),
      ],
      providers: [
        { provide: AdmissionPool, useFactory: () => new AdmissionPool(url) },
        {
          provide: AdmissionDatabase,
          useFactory: (pool: AdmissionPool) => new AdmissionDatabase(pool),
          inject: [AdmissionPool],
        },
        { provide: FeedPool, useFactory: () => new FeedPool(url) },
        {
          provide: FeedDatabase,
          useFactory: (pool: FeedPool) => new FeedDatabase(pool),
          inject: [FeedPool],
        },
        { provide: IntakePool, useFactory: () => new IntakePool(url) },
        {
          provide: IntakeDatabase,
          useFactory: (pool: IntakePool) => new IntakeDatabase(pool),
          inject: [IntakePool],
        },
        { provide: WorkPool, useFactory: () => new WorkPool(url, sessionSettings) },
        {
          provide: WorkDatabase,
          useFactory: (pool: WorkPool) => new WorkDatabase(pool),
          inject: [WorkPool],
        },
        { provide: Notifications, useFactory: () => new Notifications(url) },
        { provide: ReservedPool, useFactory: () => new ReservedPool(url) },
        {
          provide: ReservedDatabase,
          useFactory: (reserved: ReservedPool) =>
            new ReservedDatabase(reserved, new InFlightLimiter(SLOTS_TO_SWITCH_OFF)),
          inject: [ReservedPool],
        },
        { provide: Database, useValue: new Database(pool, inFlight) },
        {
          provide: Entities,
          useFactory: (dataSource: DataSource) => new Entities(dataSource, inFlight),
          inject: [getDataSourceToken()],
        },
        ThreadLockQueues,
        ...REPOSITORIES,
      ],
      exports: [...REPOSITORIES, Notifications],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    const pools = [this.admissionPool, this.feedPool, this.intakePool, this.workPool, this.reservedPool];
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
