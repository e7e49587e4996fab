import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { Pool, type PoolConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { AccountRepository } from './accounts/account.repository';
import { AdmissionRepository } from './accounts/admission.repository';
import { ApiKeyRepository } from './accounts/api-key.repository';
import { ThreadContextRepository } from './agent/thread-context.repository';
import { ReplyPartRepository } from './agent/reply-part.repository';
import { ReplyRepository } from './agent/reply.repository';
import { TakeoverRepository } from './agent/takeover.repository';
import { AiSwitchRepository } from './ai-switch/ai-switch.repository';
import { AssistantToolRepository } from './assistants/assistant-tool.repository';
import { AssistantRepository } from './assistants/assistant.repository';
import { StageRepository } from './assistants/stage.repository';
import { BoardRepository } from './board/board.repository';
import { FeedRepository } from './board/feed.repository';
import { BotChannelRepository } from './bots/bot-channel.repository';
import { BotRepository } from './bots/bot.repository';
import { connectionTo } from './database/connection.address';
import { CONNECTION_LIMITS, dataSourceOptions, driverWith } from './database/data-source.options';
import { AdmissionDatabase, Database, FeedDatabase, IntakeDatabase } from './database/database.service';
import { Entities } from './database/entities.service';
import { InFlightLimiter } from './database/in-flight.limiter';
import { HealthRepository } from './database/health.repository';
import { HistoryRepository } from './leads/history.repository';
import { LeadRepository } from './leads/lead.repository';
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
import { NewestMessagesRepository } from './messages/newest-messages.repository';
import { ThreadListRepository } from './threads/thread-list.repository';
import { ENTITIES } from './persistence.entities';

export const POOL_SIZE = 22;
/** Of those for accounts' statements: whatever they wait for, such as locked dialogs, get-lead and the looks at keys and health find some. */
const SLOTS_OF_ACCOUNTS = 16;
/** Of those for switching an agent off, which must not wait for its account's other statements: two of one account, one of the next. */
const SLOTS_AHEAD = 3;
const ADMISSION_POOL_SIZE = 6;
const FEED_POOL_SIZE = 1;
const INTAKE_POOL_SIZE = 3;
/** For notifications of every kind. */
const LISTENERS = 1;
const LOOK_LIMITS = { query_timeout: 3_000, connectionTimeoutMillis: 2_000 };

/** All that one process may have open at once. */
export const CONNECTIONS_MAX =
  POOL_SIZE + ADMISSION_POOL_SIZE + FEED_POOL_SIZE + INTAKE_POOL_SIZE + LISTENERS;

const REPOSITORIES = [
  AccountRepository,
  AdmissionRepository,
  AiSwitchRepository,
  ApiKeyRepository,
  AssistantRepository,
  AssistantToolRepository,
  BoardRepository,
  BotChannelRepository,
  BotOwnerRepository,
  BotRepository,
  ChannelConnectionRepository,
  CustomerRepository,
  ThreadContextRepository,
  DeliveryStateRepository,
  FeedRepository,
  HealthRepository,
  HistoryRepository,
  IdempotencyRepository,
  IncomingRepository,
  SendQueueRepository,
  LeadRepository,
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
  ThreadListRepository,
  WebhookChannelRepository,
  WebhookDeliveryRepository,
  WebhookMarkRepository,
  WebhookRejectRepository,
];

/** A pool beside the ORM's, whose sessions have settings of their own. */
class SidePool extends Pool {
  constructor(url: string, name: string, size: number, settings: readonly string[], limits: PoolConfig = {}) {
    const ours = { ...CONNECTION_LIMITS, ...limits, max: size, application_name: `leadline ${name}` };
    super(connectionTo(url, ours, settings));
    // An idle connection that the database closes is simply replaced; the next statement reports a real outage.
    this.on('error', () => undefined);
  }
}

/** To the planner a plan of the moment always looks cheaper; making one takes longer than running it. */
const PLANNED_ONCE = 'plan_cache_mode=force_generic_plan';

/**
 * The admission counters' own pool, which does not wait for the disk: 16 connections counting calls of one key, a
 * statement each, passed 18,000 a second instead of 2,740 (measured before calls were put together), and a crash of the
 * database forgets at most its last half second. Planned once, a statement costs some 150 µs instead of 460 (measured); that
 * may be while the windows are still empty, when reading all of them looks cheapest: hence the ban.
 */
class AdmissionPool extends SidePool {
  constructor(url: string) {
    super(url, 'admission', ADMISSION_POOL_SIZE, [
      'synchronous_commit=off',
      PLANNED_ONCE,
      'enable_seqscan=off',
    ]);
  }
}

/**
 * The feed's own connection: a look never waits behind the calls whose changes it shows. Planning takes 1 ms, looking
 * 0.2 (measured); everything a look touches it finds by an index. On a connection that is dead without a word a look
 * gives up soon enough for the next one to keep the five seconds that boards are promised.
 */
class FeedPool extends SidePool {
  constructor(url: string) {
    const byIndexAlone = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];
    super(url, 'feed', FEED_POOL_SIZE, [PLANNED_ONCE, ...byIndexAlone], LOOK_LIMITS);
  }
}

/**
 * The connections by which webhooks are stored, claimed and marked as done: the providers want their answer at once, while
 * the calls and workers of accounts may all be waiting for locks. None of these statements waits for a lock, so that few
 * connections are enough. Planned once, which may be while the table is empty, when reading all of it looks cheapest:
 * hence the ban. Planning took twice as long as claiming (measured).
 */
class IntakePool extends SidePool {
  constructor(url: string) {
    super(url, 'intake', INTAKE_POOL_SIZE, [PLANNED_ONCE, 'enable_seqscan=off']);
  }
}

/** Pools and repositories over one database. */
@Module({})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(
    private readonly admissionPool: AdmissionPool,
    private readonly feedPool: FeedPool,
    private readonly intakePool: IntakePool,
  ) {}

  static forDatabase(url: string): DynamicModule {
    const ours = { ...CONNECTION_LIMITS, max: POOL_SIZE, application_name: 'leadline' };
    const pool = new Pool(connectionTo(url, ours));
    const inFlight = new InFlightLimiter(SLOTS_OF_ACCOUNTS);
    return {
      module: PersistenceModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({ url, applicationName: 'leadline', poolSize: POOL_SIZE }),
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
        { provide: Notifications, useFactory: () => new Notifications(url) },
        { provide: Database, useValue: new Database(pool, inFlight, new InFlightLimiter(SLOTS_AHEAD)) },
        {
          provide: Entities,
          useFactory: (dataSource: DataSource) => new Entities(dataSource, inFlight),
          inject: [getDataSourceToken()],
        },
        ...REPOSITORIES,
      ],
      exports: [...REPOSITORIES, Notifications],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.admissionPool.end(), this.feedPool.end(), this.intakePool.end()]);
  }
}
