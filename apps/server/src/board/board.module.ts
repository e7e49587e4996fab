import { BoardFeed } from '@app/domain/board/board-feed.service';
import { PresenceService } from '@app/domain/board/presence.service';
import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { BoardRooms } from './board-rooms.service';
import { BoardGateway } from './board.gateway';
import { BoardMetrics } from './board.metrics';
import { OriginRule } from '../http/auth/origin.rules';
import { RefusalAudit } from '../http/auth/refusal-audit';
import { SessionCookie } from '../http/auth/session-cookie';
import { ConnectionBacklogs } from './connection-backlog-tracker';

/** The live board. In a process that does not serve it, nothing reads the event log. */
@Module({
  providers: [
    ...[BoardGateway, BoardMetrics, BoardRooms, ConnectionBacklogs],
    ...[OriginRule, RefusalAudit, SessionCookie],
  ],
})
export class BoardModule implements OnApplicationBootstrap {
  constructor(
    private readonly feed: BoardFeed,
    private readonly presence: PresenceService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.feed.start();
    this.presence.start();
  }
}
