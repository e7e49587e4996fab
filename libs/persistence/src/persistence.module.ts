import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { connectionTo } from './database/connection-address';
import { CONNECTIONS, SLOTS_OF_ACCOUNTS, SLOTS_TO_SWITCH_OFF } from './database/connection-budget';
import {
  ConnectionPool,
  AdmissionPool,
  FeedPool,
  IntakePool,
  ReservedPool,
  WorkPool,
  PLANNED_ONCE,
  provenBy,
  type ServerProof,
  PoolFigures,
} from './database/connection-pool';
import { CONNECTION_LIMITS, dataSourceOptions, driverWith } from './database/data-source-options';
import {
  AdmissionDatabase,
  Database,
  FeedDatabase,
  IntakeDatabase,
  ReservedDatabase,
  WorkDatabase,
} from './database/database.service';
import { Entities } from './database/entities.service';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Heartbeat } from './work/heartbeat';
import { Notifications } from './work/notifications-connection';
import { ThreadLockQueues } from './threads/thread-lock-queues';
import { ENTITIES } from './persistence-entities';
import { REPOSITORIES } from './persistence-repositories';

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
    const heartbeat = new Heartbeat();
    const proof: ServerProof = (client) => heartbeat.prove(client);
    const limits = { ...CONNECTION_LIMITS, ...provenBy(proof) };
    const ours = { ...limits, max: CONNECTIONS.default, application_name: 'leadline' };
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
        { provide: WorkPool, useFactory: () => new WorkPool(url, sessionSettings, proof) },
        {
          provide: WorkDatabase,
          useFactory: (pool: WorkPool) => new WorkDatabase(pool),
          inject: [WorkPool],
        },
        { provide: Heartbeat, useValue: heartbeat },
        { provide: Notifications, useFactory: () => new Notifications(url) },
        { provide: ReservedPool, useFactory: () => new ReservedPool(url, proof) },
        {
          provide: ReservedDatabase,
          useFactory: (reserved: ReservedPool) =>
            new ReservedDatabase(reserved, new InFlightLimiter(SLOTS_TO_SWITCH_OFF)),
          inject: [ReservedPool],
        },
        {
          provide: PoolFigures,
          useFactory: (
            admission: AdmissionPool,
            feed: FeedPool,
            intake: IntakePool,
            work: WorkPool,
            reserved: ReservedPool,
          ) => new PoolFigures({ default: pool, admission, feed, intake, work, reserved }, inFlight),
          inject: [AdmissionPool, FeedPool, IntakePool, WorkPool, ReservedPool],
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
      exports: [...REPOSITORIES, Heartbeat, Notifications, PoolFigures],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    const pools = [this.admissionPool, this.feedPool, this.intakePool, this.workPool, this.reservedPool];
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
