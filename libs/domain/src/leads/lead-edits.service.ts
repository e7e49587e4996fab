import { ValidationError } from '@app/contracts/coded.errors';
import type { Assignee } from '@app/contracts/lead.words';
import { threadIdOrNothing, formatThreadId, idOrNothing } from '@app/contracts/uuid.format';
import { LeadEditRepository } from '@app/persistence/leads/lead-edit.repository';
import type { ThreadCall } from '@app/persistence/threads/thread-edit.statements';
import { Injectable } from '@nestjs/common';
import { UserNotFoundError } from '../accounts/people/people.errors';
import { callOf, setterOf, type Principal, visibilityOf } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { ErasedThreads } from './erased-threads';
import { AssistantNotFoundError } from './lead.errors';

/** A principal's call for a dialog, as statements take it. */
export const threadCallOf = (by: Principal, threadId: string): ThreadCall => ({
  threadId: threadIdOrNothing(threadId),
  by: setterOf(by),
  ...callOf(by),
});

interface SetNameAnswer {
  thread_id: string;
  changed: boolean;
  /** The name as lists and cards show it. */
  customer_name: string | null;
}

interface ClearAttentionAnswer {
  thread_id: string;
  changed: boolean;
}

interface AssignAnswer {
  thread_id: string;
  changed: boolean;
  /** Null: nobody. */
  assignee: Assignee | null;
}

const IS_DISABLED = 'is disabled: name a person who works here';

/** What people change of a lead besides its stage and its switch. */
@Injectable()
export class LeadEdits {
  constructor(
    private readonly leads: LeadEditRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly erased: ErasedThreads,
  ) {}

  /**
   * Gives the customer a name, which counts before the messenger's; null gives the messenger's back.
   * @throws ThreadNotFoundError, ThreadErasedError
   */
  async setName(by: Principal, threadId: string, name: string | null): Promise<SetNameAnswer> {
    const call = threadCallOf(by, threadId);
    const row = await this.told(by, call, await this.leads.setName(visibilityOf(by), call, name));
    return {
      thread_id: formatThreadId(call.threadId),
      changed: row.changed,
      customer_name: row.customer_name,
    };
  }

  /**
   * Takes the mark off that asks for an operator.
   * @throws ThreadNotFoundError, ThreadErasedError
   */
  async clearAttention(by: Principal, threadId: string): Promise<ClearAttentionAnswer> {
    const call = threadCallOf(by, threadId);
    const { changed } = await this.told(by, call, await this.leads.clearAttention(visibilityOf(by), call));
    return { thread_id: formatThreadId(call.threadId), changed };
  }

  /**
   * Assigns the dialog to a person of its account who sees its agent, or with null to nobody.
   * @throws ThreadNotFoundError, UserNotFoundError, ValidationError for a person who is disabled
   */
  async assign(by: Principal, threadId: string, userId: string | null): Promise<AssignAnswer> {
    const call = threadCallOf(by, threadId);
    const wanted = userId && idOrNothing(userId).toLowerCase();
    const row = await this.told(by, call, await this.leads.assign(visibilityOf(by), call, wanted));
    // Whom the agent is hidden from may be hidden from the caller, too.
    if (row.verdict === 'unknown' || row.verdict === 'cannot_see') throw new UserNotFoundError();
    if (row.verdict === 'disabled') throw new ValidationError([{ path: 'user_id', message: IS_DISABLED }]);
    return {
      thread_id: formatThreadId(call.threadId),
      changed: row.changed,
      assignee:
        wanted !== null && row.assignee_name !== null ? { id: wanted, name: row.assignee_name } : null,
    };
  }

  /**
   * The people to whom the dialogs of an agent may be assigned, by name.
   * @throws AssistantNotFoundError
   */
  async assignees(by: Principal, assistantId: string): Promise<Assignee[]> {
    const { accountId, assistantIds } = visibilityOf(by);
    const wanted = assistantId.toLowerCase();
    if (!assistantIds.includes(wanted)) throw new AssistantNotFoundError();
    return this.leads.assignees(accountId, wanted);
  }

  /** Tells the boards of a change. */
  private async told<Row extends { changed: boolean }>(
    by: Principal,
    { threadId }: ThreadCall,
    row: Row | null,
  ): Promise<Row> {
    if (!row) return this.erased.refuse(visibilityOf(by), threadId);
    if (row.changed) this.eventNotifier.notify(visibilityOf(by).accountId);
    return row;
  }
}
