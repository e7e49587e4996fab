import type { Assignee } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { SEES_ASSISTANT } from '../accounts/people/session.statements';
import type { UserEntity } from '../accounts/people/user.entity';
import { statement } from '../database/sql.statements';
import { EDITING, editThread, editingValues, type ThreadCall } from '../threads/thread-edit.statements';
import { changed } from '../threads/thread-log.statements';
import type { Visibility } from '../accounts/reach-scope';
import { Database } from '../database/database.service';
import { findAgain } from '../threads/thread-search.statements';
import type { ThreadEntity } from '../threads/thread.entity';
import { ThreadLockQueues } from '../threads/thread-lock-queues';
import { ASK_FOR_NOBODY, shownName } from '../threads/thread.rules';

/** Whether a person may get a dialog: nobody may always; else why not. */
export type AssignVerdict = 'may' | 'unknown' | 'disabled' | 'cannot_see';

interface Assigned {
  verdict: AssignVerdict;
  changed: boolean;
  /** The name of the person who was given; null: nobody. */
  assignee_name: string | null;
}

/**
 * Assigns a dialog. The person's row is not locked: one who is disabled in the same moment keeps the dialog, like those that
 * they had before.
 */
export const ASSIGN = statement('lead-assign').takes(...EDITING, 'userId').returns<Assigned>(`
  WITH ${editThread({
    reads: ['assignee_id', 'assistant_id'],
    facts: {
      verdict: `CASE WHEN :userId::uuid IS NULL THEN 'may' ELSE coalesce(
             (SELECT CASE WHEN u.disabled_at IS NOT NULL THEN 'disabled'
                          WHEN ${SEES_ASSISTANT('u', 'c.assistant_id')} THEN 'may' ELSE 'cannot_see' END
                FROM users u WHERE u.account_id = :accountId AND u.id = :userId), 'unknown') END`,
    },
    differs: `d.verdict = 'may' AND d.assignee_id IS DISTINCT FROM :userId::uuid`,
    changes: { assignee_id: ':userId::uuid', last_activity_at: 'd.at' },
    entry: { type: `'assignee'`, body: changed('t.was_assignee_id', ':userId::uuid') },
  })}
  SELECT d.verdict, EXISTS (SELECT 1 FROM edited) AS changed,
         (SELECT u.name FROM users u WHERE u.account_id = :accountId AND u.id = :userId) AS assignee_name
    FROM decided d`);

/** The people to whom the dialogs of an agent may be assigned, by name. */
const ASSIGNEES = statement('lead-assignees').takes('accountId', 'assistantId').returns<
  Pick<UserEntity, 'id' | 'name'>
>(`
  SELECT u.id, u.name FROM users u
   WHERE u.account_id = :accountId AND u.disabled_at IS NULL AND ${SEES_ASSISTANT('u', ':assistantId::uuid')}
   ORDER BY u.name, u.id`);

interface Edited {
  changed: boolean;
}

/** The customer's name as it is shown afterwards. */
export type Renamed = Edited & Pick<ThreadEntity, 'customer_name'>;

const CHANGED = 'EXISTS (SELECT 1 FROM edited) AS changed';

const SET_NAME = statement('lead-set-name').takes(...EDITING, 'name').returns<Renamed>(`
  WITH ${editThread({
    reads: ['name_override', 'customer_name'],
    differs: 'd.name_override IS DISTINCT FROM :name::text',
    changes: { name_override: ':name::text', last_activity_at: 'd.at' },
    entry: { type: `'name'`, body: changed('t.was_name_override', ':name::text') },
  })},
  ${findAgain('edited')}
  SELECT ${CHANGED}, ${shownName('n')} AS customer_name
    FROM (SELECT customer_name, :name::text AS name_override FROM decided) n`);

const CLEAR_ATTENTION = statement('lead-clear-attention').takes(...EDITING).returns<Edited>(`
  WITH ${editThread({
    reads: ['attention'],
    differs: 'd.attention IS NOT NULL',
    changes: { ...ASK_FOR_NOBODY, last_activity_at: 'd.at' },
    entry: { type: `'attention'`, body: changed('t.was_attention', 'NULL') },
  })}
  SELECT ${CHANGED} FROM decided`);

/** Changes of a lead by people and integrators, each one statement that locks the thread's row alone. */
@Injectable()
export class LeadEditRepository {
  constructor(
    private readonly database: Database,
    private readonly lockQueues: ThreadLockQueues,
  ) {}

  /**
   * Gives the customer a name, or with null the messenger's again.
   * @returns null when the caller sees no such thread.
   */
  async setName(of: Visibility, call: ThreadCall, name: string | null): Promise<Renamed | null> {
    return this.inTurn(of, call, (values) =>
      this.database.runFor(of.accountId, SET_NAME, { ...values, name }),
    );
  }

  /** Asks for no operator any more. @returns null when the caller sees no such thread. */
  async clearAttention(of: Visibility, call: ThreadCall): Promise<Edited | null> {
    return this.inTurn(of, call, (values) => this.database.runFor(of.accountId, CLEAR_ATTENTION, values));
  }

  /** Assigns it to a person, or with null to nobody. @returns null when the caller sees no such thread. */
  async assign(of: Visibility, call: ThreadCall, userId: string | null): Promise<Assigned | null> {
    return this.inTurn(of, call, (values) =>
      this.database.runFor(of.accountId, ASSIGN, { ...values, userId }),
    );
  }

  /** The people to whom the dialogs of an agent may be assigned, by name. */
  async assignees(accountId: string, assistantId: string): Promise<Assignee[]> {
    return this.database.runFor(accountId, ASSIGNEES, { accountId, assistantId });
  }

  /** The row of an edit that waits for its thread's lock in the thread's queue. */
  private async inTurn<Row>(
    of: Visibility,
    call: ThreadCall,
    act: (values: ReturnType<typeof editingValues>) => Promise<Row[]>,
  ): Promise<Row | null> {
    const values = editingValues(of, call);
    const [row] = await this.lockQueues.run(of.accountId, call.threadId, () => act(values));
    return row ?? null;
  }
}
