import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import type { Visibility } from '../accounts/visibility.scope';
import { Database } from '../database/database.service';
import { statement, type ValuesOf } from '../database/sql.statement';
import { EDITING, editThread } from '../threads/thread-edit.fragment';
import { findAgain } from '../threads/thread-search.fragments';
import type { ThreadEntity } from '../threads/thread.entity';
import { ThreadLockQueues } from '../threads/thread-lock.queues';
import { ASK_FOR_NOBODY, changed, shownName } from '../threads/thread.rules';

/** A caller's change of a lead. */
export interface LeadEdit {
  threadId: string;
  /** Who does it, in the history's words. */
  by: string;
  actor: Actor;
  requestId: string | null;
}

interface Edited {
  changed: boolean;
}

/** The customer's name as it is shown afterwards. */
export type Renamed = Edited & Pick<ThreadEntity, 'customer_name'>;

const CHANGED = 'EXISTS (SELECT 1 FROM edited) AS changed';

const SET_NAME = statement('lead-set-name').takes(...EDITING, 'name').returns<Renamed>(`
  ${editThread({
    reads: ['name_override', 'customer_name'],
    differs: 'd.name_override IS DISTINCT FROM :name::text',
    changes: { name_override: ':name::text', last_activity_at: 'd.at' },
    entry: { type: `'name'`, body: changed('t.was_name_override', ':name::text') },
  })},
  ${findAgain('edited')}
  SELECT ${CHANGED}, ${shownName('n')} AS customer_name
    FROM (SELECT customer_name, :name::text AS name_override FROM decided) n`);

const CLEAR_ATTENTION = statement('lead-clear-attention').takes(...EDITING).returns<Edited>(`
  ${editThread({
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
  async setName(of: Visibility, edit: LeadEdit, name: string | null): Promise<Renamed | null> {
    return this.inTurn(of, edit, (values) =>
      this.database.runFor(of.accountId, SET_NAME, { ...values, name }),
    );
  }

  /** Asks for no operator any more. @returns null when the caller sees no such thread. */
  async clearAttention(of: Visibility, edit: LeadEdit): Promise<Edited | null> {
    return this.inTurn(of, edit, (values) => this.database.runFor(of.accountId, CLEAR_ATTENTION, values));
  }

  /** The row of an edit that waits for its thread's lock in the thread's queue. */
  private async inTurn<Row>(
    { accountId, assistantIds }: Visibility,
    { actor, ...edit }: LeadEdit,
    act: (values: ValuesOf<(typeof EDITING)[number]>) => Promise<Row[]>,
  ): Promise<Row | null> {
    const values = { accountId, assistantIds, ...edit, actor: JSON.stringify(actor) };
    const [row] = await this.lockQueues.run(accountId, edit.threadId, () => act(values));
    return row ?? null;
  }
}
