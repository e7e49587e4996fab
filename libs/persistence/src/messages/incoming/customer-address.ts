import type { Channel } from '@app/contracts/message.words';
import type { ThreadEntity } from '../../threads/thread.entity';

/** The number at which something arrived. */
export interface ReceivingNumber {
  accountId: string;
  botId: string;
  channel: Channel;
}

/** The customer of a message, as a thread keeps and finds one. */
export interface ThreadAddress {
  /** By which the thread is found. */
  contact: ThreadEntity['contact'];
  phone: ThreadEntity['phone'];
  userId: ThreadEntity['user_id'];
  waId: ThreadEntity['wa_id'];
  name: ThreadEntity['customer_name'];
  username: ThreadEntity['username'];
}
