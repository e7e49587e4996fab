import type { Channel } from '@app/contracts/message.words';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An address by which a customer is known on a bot's channel: a number, or a user id of the messenger. Each leads to one
 * dialog. Dialogs that a former version opened have none until something is told of their customers; they are found by
 * their own columns. No foreign key to the dialog, which would cost a lookup for each that is opened: dialogs are never
 * deleted.
 */
@Entity('thread_addresses')
@Index('thread_addresses_thread', ['account_id', 'thread_id'])
export class ThreadAddressEntity {
  @PrimaryColumn('uuid')
  account_id: string;

  /** As `contactOf` writes a number, or the user id. */
  @PrimaryColumn('text')
  address: string;

  @PrimaryColumn('uuid')
  bot_id: string;

  @PrimaryColumn('text')
  channel: Channel;

  @Column('uuid')
  thread_id: string;
}
