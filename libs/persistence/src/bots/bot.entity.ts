import { Column, Entity, ForeignKey, Index, OneToMany, PrimaryColumn } from 'typeorm';
import { AssistantEntity } from '../assistants/assistant.entity';
import { AccountEntity } from '../accounts/account.entity';
import { CLOCK } from '../database/column-defaults';
import { BotChannelEntity } from './bot-channel.entity';

/** Speaks for an agent by its numbers, one for each channel. */
@Entity('bots')
@ForeignKey(() => AssistantEntity, ['account_id', 'assistant_id'], ['account_id', 'id'])
@ForeignKey(() => AccountEntity, ['account_id'], ['id'])
@Index('bots_id', ['id'])
export class BotEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  assistant_id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { default: CLOCK })
  created_at: Date;

  @OneToMany(() => BotChannelEntity, (number) => number.bot)
  channels: BotChannelEntity[];
}
