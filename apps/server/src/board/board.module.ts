import { Module } from '@nestjs/common';
import { BoardRooms } from './board-rooms.service';
import { BoardGateway } from './board.gateway';
import { OriginRule } from './origin.rule';

@Module({ providers: [BoardGateway, BoardRooms, OriginRule] })
export class BoardModule {}
