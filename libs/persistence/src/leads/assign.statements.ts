import { SEES_ASSISTANT } from '../accounts/people/active-session-columns';
import type { UserEntity } from '../accounts/people/user.entity';
import { statement } from '../database/sql.statements';
import { EDITING, editThread } from '../threads/thread-edit.statements';
import { changed } from '../threads/thread-log.statements';

/** Whether a person may get a dialog: nobody may always; else why not. */
export type AssignVerdict = 'may' | 'unknown' | 'disabled' | 'cannot_see';

export interface Assigned {
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
export const ASSIGNEES = statement('lead-assignees').takes('accountId', 'assistantId').returns<
  Pick<UserEntity, 'id' | 'name'>
>(`
  SELECT u.id, u.name FROM users u
   WHERE u.account_id = :accountId AND u.disabled_at IS NULL AND ${SEES_ASSISTANT('u', ':assistantId::uuid')}
   ORDER BY u.name, u.id`);
