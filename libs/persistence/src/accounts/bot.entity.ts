import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A business's sender on one or more channels, which one agent serves. */
@Entity('bots')
export class BotEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'assistant_id' })
  assistantId: string;

  @Column('text')
  name: string;
}
