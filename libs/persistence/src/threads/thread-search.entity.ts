import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The words by which a dialog is found, folded by ourselves. They are derived, and may be made again at any time. */
@Entity('thread_search')
@Index('thread_search_words', { synchronize: false })
export class ThreadSearchEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryColumn('uuid')
  thread_id: string;

  /** Of the customer's name and phone, as they are now. */
  @Column('tsvector')
  customer_words: string;

  /** Of the messages. */
  @Column('tsvector')
  words: string;
}

/** What has to be added to `thread_search`. */
@Entity('search_queue')
@Index('search_queue_dialogs', ['account_id', 'id'], { where: 'message_id IS NULL' })
@Index('search_queue_messages', ['account_id', 'id'], { where: 'message_id IS NOT NULL' })
export class SearchQueueEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('uuid')
  thread_id: string;

  /** Null: the whole dialog. */
  @Column('uuid', { nullable: true })
  message_id: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at: Date;
}
