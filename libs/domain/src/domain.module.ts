import { PersistenceModule } from '@app/persistence/persistence.module';
import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsService } from './accounts/accounts.service';
import { AdmissionService, RateLimits } from './accounts/admission.service';
import { ApiKeysService } from './accounts/api-keys.service';
import { AiSwitchService } from './ai-switch/ai-switch.service';
import { BoardFeed } from './board/board-feed.service';
import { BoardService } from './board/board.service';
import { ColumnTotalsCache } from './board/column-totals.cache';
import { EventBell } from './events/event-bell.service';
import { HealthService } from './health/health.service';
import { HistoryService } from './leads/history.service';
import { LeadsService } from './leads/leads.service';
import { BotAccess } from './messages/bot.access';
import { ChannelConnections } from './messages/channel-connections.service';

export interface DomainOptions {
  databaseUrl: string;
  rateLimits: RateLimits;
}

const SERVICES = [
  AccountsService,
  AdmissionService,
  AiSwitchService,
  ApiKeysService,
  BoardFeed,
  BoardService,
  BotAccess,
  ChannelConnections,
  ColumnTotalsCache,
  EventBell,
  HealthService,
  HistoryService,
  LeadsService,
];

/** All services of the product over one database. */
@Module({})
export class DomainModule {
  static forDatabase({ databaseUrl, rateLimits }: DomainOptions): DynamicModule {
    return {
      module: DomainModule,
      global: true,
      imports: [PersistenceModule.forDatabase(databaseUrl)],
      providers: [{ provide: RateLimits, useValue: rateLimits }, ...SERVICES],
      exports: SERVICES,
    };
  }
}
