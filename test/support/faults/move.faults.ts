import { MOVE } from '@app/persistence/leads/lead.statements';
import { agentConducts, isWaiting, mayTakeUpAgain } from '@app/persistence/threads/thread.rules';

/** The statement with one thing made wrong; refuses when the product's text no longer has what is replaced. */
function withFault(replacements: [string, string][]): string {
  let { text } = MOVE;
  for (const [right, wrong] of replacements) {
    if (text.split(right).length !== 2) throw new Error(`the move does not have just once: ${right}`);
    text = text.replace(right, () => wrong);
  }
  return text;
}

const LOCKED_ROW = `SELECT id, assistant_id, status_id, version, ai_enabled, takeover_until, ai_epoch, opted_out, conducted_elsewhere,
           waiting_message_id, waiting_at, answer_count, bot_id, channel, has_runs
      FROM threads WHERE account_id = $1 AND id = $2 AND assistant_id = ANY ($4::uuid[]) FOR NO KEY UPDATE`;

const joined = (join: string): string =>
  `SELECT t.id, t.assistant_id, c.id AS status_id, t.version, t.ai_enabled, t.takeover_until, t.ai_epoch,
           t.opted_out, t.conducted_elsewhere, t.waiting_message_id, t.waiting_at, t.answer_count, t.bot_id, t.channel, t.has_runs
      FROM threads t ${join} statuses c ON c.account_id = t.account_id AND c.id = t.status_id
     WHERE t.account_id = $1 AND t.id = $2 AND t.assistant_id = ANY ($4::uuid[]) FOR NO KEY UPDATE OF t`;

/** The move as the product runs it. */
export const RIGHT_MOVE = MOVE.text;

/** Forms of the move that look the same and are wrong, each made from the product's text. */
export const WRONG_MOVES = {
  leftJoin: withFault([[LOCKED_ROW, joined('LEFT JOIN')]]),
  innerJoin: withFault([[LOCKED_ROW, joined('JOIN')]]),
  fromInReturning: withFault([
    [
      'd.status_id AS from_status',
      '(SELECT p.status_id FROM threads p WHERE p.account_id = $1 AND p.id = t.id) AS from_status',
    ],
  ]),
  noLock: withFault([['FOR NO KEY UPDATE', '']]),
  startOfTransaction: withFault([['clock_timestamp() AS at', 'now() AS at']]),
  /** Reads from the messages whether one waits: the last one's role. */
  lastMessageAsked: withFault([
    [
      isWaiting('d'),
      `'USER' = (SELECT m.role FROM messages m WHERE m.account_id = $1 AND m.thread_id = d.id
                  ORDER BY m.created_at DESC, m.id DESC LIMIT 1)`,
    ],
  ]),
  /** Whether it may be answered is asked of the row again, by a plain read. */
  switchReadAgain: withFault([
    [
      `${agentConducts('d', 'd.at')} AND NOT d.conducted_elsewhere`,
      `(SELECT p.ai_enabled FROM threads p WHERE p.account_id = $1 AND p.id = d.id) AND NOT d.conducted_elsewhere`,
    ],
  ]),
  /** A second reply besides the first, instead of the one of its message. */
  replyWithoutOnce: withFault([[`WHERE ${mayTakeUpAgain('r', 'excluded.epoch')}`, '']]),
};
