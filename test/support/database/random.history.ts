import { randomUUIDv7 } from 'node:crypto';
import type { AccountFixture } from './fixture';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface RandomSpan {
  from: Date;
  to: Date;
}

interface Entry {
  thread_id: string;
  at: string;
  type: string;
  body: object;
}

interface Message {
  id: string;
  thread_id: string;
  created_at: string;
  role: string;
  type: string;
  status: string;
  content: object;
  error_code: string | null;
  provider_code: number | null;
}

/** Whose history it is. */
export type HistoryAccount = Pick<AccountFixture, 'id' | 'assistantId' | 'botId' | 'stages'> & {
  db: Pick<AccountFixture['db'], 'query'>;
};

const ROLES = ['USER', 'USER', 'USER', 'AI', 'AI', 'OPERATOR', 'SYSTEM'];
const STATES = ['sent', 'delivered', 'read', 'read', 'failed', 'dropped', 'unknown', 'queued'];
const OF_ANYBODY = ['text', 'text', 'text', 'image', 'reaction'];
const OF_OPERATORS = ['text', 'text', 'image', 'note'];
const MESSAGES_MAX = 14;
const MOVES_MAX = 8;

/**
 * Writes dialogs with random moves and messages into the tables of an account, as they are after these have happened in a
 * span: leads that come back to a stage, replies that failed, templates, reactions.
 */
export async function writeHistory(
  { db, id: accountId, assistantId, botId, stages }: HistoryAccount,
  random: () => number,
  span: RandomSpan,
  dialogs: number,
): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const between = (from: number, to: number): number => Math.floor(from + random() * (to - from));
  const entries: Entry[] = [];
  const messages: Message[] = [];
  const threads: { id: string; created_at: string; status_id: string | null }[] = [];
  for (let n = 0; n < dialogs; n += 1) {
    const thread_id = randomUUIDv7();
    const opened = between(span.from.getTime(), span.to.getTime());
    const end = Math.min(span.to.getTime(), opened + between(60_000, 20 * 86_400_000));
    const times = (count: number) =>
      Array.from({ length: count }, () => between(opened + 1, end + 2)).sort((one, other) => one - other);
    const iso = (ms: number): string => new Date(ms).toISOString();
    const own: Entry[] = [{ thread_id, at: iso(opened), type: 'opened', body: {} }];
    let stage: string | null = null;
    for (const at of times(between(0, MOVES_MAX))) {
      const to: string | null = pick([...stages, null].filter((other) => other !== stage));
      own.push({ thread_id, at: iso(at), type: 'status', body: { from: stage, to } });
      stage = to;
    }
    for (const at of times(between(0, MESSAGES_MAX))) {
      const message = messageOf(pick, { thread_id, created_at: iso(at) });
      messages.push(message);
      own.push({ thread_id, at: iso(at), type: 'message', body: { message_id: message.id } });
    }
    threads.push({ id: thread_id, created_at: iso(opened), status_id: stage });
    entries.push(...own.sort((one, other) => (one.at < other.at ? -1 : 1)));
  }
  await db.query(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, created_at, status_id, status_set_at, status_set_by)
     SELECT $1, id, $2, $3, 'waba', id::text, created_at, status_id,
            CASE WHEN status_id IS NOT NULL THEN created_at END, CASE WHEN status_id IS NOT NULL THEN 'SYSTEM' END
       FROM jsonb_to_recordset($4) t (id uuid, created_at timestamptz, status_id uuid)`,
    [accountId, assistantId, botId, JSON.stringify(threads)],
  );
  await db.query(
    `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, text, type, status, content, created_at,
                           due_at, error_code, provider_code)
     SELECT $1, id, thread_id, $2, 'waba', role, role = 'USER', '', type, status, content, created_at,
            CASE status WHEN 'queued' THEN created_at END, error_code, provider_code
       FROM jsonb_to_recordset($3)
         t (id uuid, thread_id uuid, role text, type text, status text, content jsonb, created_at timestamptz,
            error_code text, provider_code int)`,
    [accountId, botId, JSON.stringify(messages)],
  );
  await db.query(
    `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT $1, thread_id, $2, n, type, at, body
       FROM ROWS FROM (jsonb_to_recordset($3) AS (thread_id uuid, type text, at timestamptz, body jsonb))
            WITH ORDINALITY e (thread_id, type, at, body, n) ORDER BY n`,
    [accountId, assistantId, JSON.stringify(entries)],
  );
}

function messageOf(
  pick: <T>(values: readonly T[]) => T,
  at: Pick<Message, 'thread_id' | 'created_at'>,
): Message {
  const role = pick(ROLES);
  const isTemplate = role === 'SYSTEM';
  const status =
    role === 'USER' ? 'received' : pick(STATES.filter((state) => !isTemplate || state !== 'dropped'));
  const failed = status === 'failed';
  return {
    ...{ id: randomUUIDv7(), ...at, role, status },
    type: isTemplate ? 'template' : pick(role === 'OPERATOR' ? OF_OPERATORS : OF_ANYBODY),
    content: isTemplate
      ? { type: 'template', name: pick(['order', 'news']), language: pick(['ru', 'en']) }
      : {},
    error_code: failed ? pick(['PROVIDER_ERROR', 'BILLING_ERROR']) : null,
    provider_code: failed ? pick([131_026, 131_047, null]) : null,
  };
}
