import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An AI agent with a funnel of its own. */
@Entity('assistants')
export class AssistantEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;
}
