import type { Assignee, StageRef } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { AsNumbers, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { EventEntity } from '../events/event.entity';
import { namedRows, personRef, stageRef } from '../leads/history.repository';
import {
  MESSAGE_COLUMNS,
  NAMES_MESSAGE,
  messageOf,
  type MessageRow,
  type MessageValue,
} from '../messages/dialog/message-columns';
import type { ThreadEntity } from '../threads/thread.entity';
import { webhooksOf } from './new-delivery.statements';

/** An event of the log with its dialog and what else it names, as they are now. */
export interface LoggedEvent
  extends
    Pick<EventEntity, 'account_id' | 'thread_id' | 'assistant_id' | 'type' | 'at' | 'body'>,
    AsNumbers<Pick<EventEntity, 'seq' | 'version'>>,
    OrNull<Pick<ThreadEntity, 'bot_id' | 'channel' | 'phone' | 'customer_name'>>,
    OrNull<Pick<ThreadEntity, 'wa_id' | 'user_id' | 'username' | 'phone_proven'>> {
  from_value: StageRef | Assignee | boolean | string | null;
  to_value: StageRef | Assignee | boolean | string | null;
  /** The message that it names; null: none. */
  message: MessageRow | null;
}

type LoggedRow = Omit<LoggedEvent, 'message'> & { shown_message: MessageValue | null };

/** The log has stages and people by their ids; here they come with their names. */
const valueOf = (value: 'from' | 'to', stage: string, person: string): string => `
  CASE e.type WHEN 'status' THEN ${stageRef(stage)} WHEN 'assignee' THEN ${personRef(person)} ELSE e.body -> '${value}' END`;

const LOGGED = statement('logged-events').takes('accountId', 'seqs').returns<LoggedRow>(`
  SELECT e.seq::float8 AS seq, e.account_id, e.thread_id, e.assistant_id, e.version::float8 AS version, e.type, e.at,
         e.body, t.bot_id, t.channel, t.phone, t.customer_name, t.wa_id, t.user_id, t.username, t.phone_proven,
         ${valueOf('from', 'f', 'fp')} AS from_value, ${valueOf('to', 'n', 'np')} AS to_value,
         shown.message AS shown_message
    FROM unnest(:seqs::bigint[]) AS asked (seq)
    JOIN events e ON e.seq = asked.seq AND e.account_id = :accountId
    LEFT JOIN threads t ON t.account_id = :accountId AND t.id = e.thread_id
    ${namedRows(':accountId')}
    LEFT JOIN LATERAL (
      SELECT to_jsonb(found) AS message
        FROM (SELECT ${MESSAGE_COLUMNS} FROM messages m
               WHERE m.account_id = :accountId
                 AND m.id = CASE WHEN e.type IN ${NAMES_MESSAGE}
                                 THEN (e.body ->> 'message_id')::uuid END) found) shown ON true`);

/** Reads events that go out. */
@Injectable()
export class LoggedEventRepository {
  constructor(private readonly database: Database) {}

  /** The account's events of these numbers, in no order. One that is not there any more is left out. */
  async find(accountId: string, seqs: readonly number[]): Promise<LoggedEvent[]> {
    const rows = await this.database.runFor(webhooksOf(accountId), LOGGED, { accountId, seqs });
    return rows.map(({ shown_message: message, ...row }) => ({
      ...row,
      message: message && messageOf(message),
    }));
  }
}
