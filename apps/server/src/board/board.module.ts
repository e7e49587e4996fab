import { Module } from '@nestjs/common';
import { BoardRooms } from './board-rooms.service';
import { BoardGateway } from './board.gateway';
import { ConnectionBacklogs } from './connection-backlog.tracker';
import { OriginRule } from './origin.rule';

@Module({ providers: [BoardGateway, BoardRooms, ConnectionBacklogs, OriginRule] })
export class BoardModule {}
