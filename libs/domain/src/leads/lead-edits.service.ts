import { formatThreadId } from '@app/contracts/thread-id.format';
import { LeadEditRepository } from '@app/persistence/leads/lead-edit.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { threadCallOf } from './lead.call';
import { ThreadNotFoundError } from './lead.errors';

export interface SetNameAnswer {
  thread_id: string;
  changed: boolean;
  /** The name as lists and cards show it. */
  customer_name: string | null;
}

export interface ClearAttentionAnswer {
  thread_id: string;
  changed: boolean;
}

/** What people change of a lead besides its stage and its switch. */
@Injectable()
export class LeadEdits {
  constructor(
    private readonly leads: LeadEditRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Gives the customer a name, which counts before the messenger's; null gives the messenger's back.
   * @throws ThreadNotFoundError
   */
  async setName(by: Principal, threadId: string, name: string | null): Promise<SetNameAnswer> {
    const call = threadCallOf(by, threadId);
    const row = this.told(await this.leads.setName(visibilityOf(by), call, name));
    return {
      thread_id: formatThreadId(call.threadId),
      changed: row.changed,
      customer_name: row.customer_name,
    };
  }

  /**
   * Takes the mark off that asks for an operator.
   * @throws ThreadNotFoundError
   */
  async clearAttention(by: Principal, threadId: string): Promise<ClearAttentionAnswer> {
    const call = threadCallOf(by, threadId);
    const { changed } = this.told(await this.leads.clearAttention(visibilityOf(by), call));
    return { thread_id: formatThreadId(call.threadId), changed };
  }

  /** Tells the boards of a change. */
  private told<Row extends { changed: boolean }>(row: Row | null): Row {
    if (!row) throw new ThreadNotFoundError();
    if (row.changed) this.eventNotifier.notify();
    return row;
  }
}
