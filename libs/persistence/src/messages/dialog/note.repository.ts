import { NOTE } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import type { Visibility } from '../../accounts/reach-scope';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { EDITING, editingValues, editThread, type ThreadCall } from '../../threads/thread-edit.statements';
import { ThreadLockQueues } from '../../threads/thread-lock-queues';
import { ENTRIES } from '../../threads/thread-log.statements';
import { MESSAGE_COLUMNS, personOf, type MessageRow } from './message-columns';

/**
 * A note in a thread. It answers nothing and silences nobody: of the thread it changes only when it was last active, and the
 * version.
 */
const ADD_NOTE = statement('note-add').takes(...EDITING, 'messageId', 'text').returns<MessageRow>(`
  WITH ${editThread({
    reads: ['bot_id', 'channel'],
    differs: 'true',
    changes: { last_activity_at: 'd.at' },
    entry: ENTRIES.message(':messageId::uuid'),
  })},
  stored AS (
    INSERT INTO messages AS m (account_id, id, thread_id, bot_id, channel, role, type, text, status, created_at, author_id)
    SELECT :accountId, :messageId::uuid, e.id, e.was_bot_id, e.was_channel, 'OPERATOR', '${NOTE}', :text::text, 'received', e.at, ${personOf(':actor::jsonb')}
      FROM edited e
    RETURNING ${MESSAGE_COLUMNS})
  SELECT m.* FROM stored m`);

/** What people write for their colleagues. */
@Injectable()
export class NoteRepository {
  constructor(
    private readonly database: Database,
    private readonly lockQueues: ThreadLockQueues,
  ) {}

  /** @returns the note as a message; null when the caller sees no such thread. */
  async add(of: Visibility, call: ThreadCall, messageId: string, text: string): Promise<MessageRow | null> {
    const values = { ...editingValues(of, call), messageId, text };
    const [row] = await this.lockQueues.run(of.accountId, call.threadId, () =>
      this.database.runFor(of.accountId, ADD_NOTE, values),
    );
    return row ?? null;
  }
}
