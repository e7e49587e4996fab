import type { AccountFixture } from './fixture';

interface Move {
  thread_id: string;
  seq: number;
  at: Date;
  /** The same in microseconds. */
  microsecond: number;
  type: string;
  from: string | null;
  to: string | null;
  /** When the dialog was opened, in microseconds. */
  opened_microsecond: number;
}

interface Message {
  id: string;
  thread_id: string;
  created_at: Date;
  /** The same in microseconds. */
  microsecond: number;
  role: string;
  type: string;
  status: string;
  content: { name?: string; language?: string };
  error_code: string | null;
  provider_code: number | null;
}

interface Asked {
  from: Date;
  to: Date;
  timezone: string;
}

const QUIET = ['reaction', 'system', 'edit', 'revoke', 'note'];
const SPEAKERS = { ai: 'AI', operator: 'OPERATOR', system: 'SYSTEM' };
const DAY_MS = 86_400_000;

/** A second, naive way to every figure: it reads the history of an account's agent and counts dialog by dialog. */
export class FigureModel {
  private constructor(
    private readonly moves: readonly Move[],
    private readonly messages: readonly Message[],
    private readonly stages: { id: string; name: string; kind: string; order: number; archived: boolean }[],
    private readonly standing: Map<string | null, number>,
  ) {}

  static async read({ db, id, assistantId }: AccountFixture): Promise<FigureModel> {
    const rows = async <T extends object>(sql: string): Promise<T[]> =>
      (await db.query<T>(sql, [id, assistantId])).rows;
    return new FigureModel(
      await rows(
        `SELECT e.thread_id, e.seq::float8 AS seq, e.at, e.type, e.body ->> 'from' AS from, e.body ->> 'to' AS to,
                (extract(epoch FROM e.at) * 1000000)::float8 AS microsecond, (extract(epoch FROM t.created_at) * 1000000)::float8 AS opened_microsecond
           FROM events e JOIN threads t ON t.account_id = e.account_id AND t.id = e.thread_id
          WHERE e.account_id = $1 AND e.assistant_id = $2 AND e.type IN ('opened', 'status') ORDER BY e.seq`,
      ),
      await rows(
        `SELECT m.*, (extract(epoch FROM m.created_at) * 1000000)::float8 AS microsecond FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
          WHERE m.account_id = $1 AND t.assistant_id = $2 AND coalesce(m.error_code, '') <> 'DUPLICATE'
          ORDER BY m.thread_id, m.created_at, m.id`,
      ),
      await rows(
        `SELECT id, name, kind, "order", archived_at IS NOT NULL AS archived FROM statuses
          WHERE account_id = $1 AND assistant_id = $2 ORDER BY archived_at IS NOT NULL, "order", id`,
      ),
      new Map(
        (
          await rows<{ status_id: string | null; now: number }>(
            'SELECT status_id, count(*)::int AS now FROM threads WHERE account_id = $1 AND assistant_id = $2 GROUP BY 1',
          )
        ).map(({ status_id, now }) => [status_id, now]),
      ),
    );
  }

  funnel(asked: Asked): object {
    const dates = datesOf(asked);
    return {
      stages: this.stageRows(asked),
      ...this.messageFigures(() => true, asked),
      days: dates.map((date) => {
        const isThen = (at: Date): boolean => dateOf(at, asked.timezone) === date;
        return { date, stages: this.movesOf(isThen, asked), ...this.messageFigures(isThen, asked) };
      }),
    };
  }

  private stageRows(asked: Asked): object[] {
    const successes = new Set(this.stages.filter(({ kind }) => kind === 'success').map(({ id }) => id));
    const none = { id: null, name: null, kind: null, order: null, archived: false };
    const rows = [none, ...this.stages].map(({ id, ...stage }) => {
      const entries = this.moves.filter(({ to, at }) => to === id && isIn(at, asked));
      const leads = new Map<string, Move>();
      for (const entry of entries) if (!leads.has(entry.thread_id)) leads.set(entry.thread_id, entry);
      const converted = [...leads.values()].filter((entry) =>
        this.moves.some(
          (later) =>
            later.thread_id === entry.thread_id && later.seq > entry.seq && successes.has(later.to ?? ''),
        ),
      );
      const times = this.stays()
        .filter(({ status_id, left_at }) => status_id === id && isIn(left_at, asked))
        .map(({ seconds }) => seconds);
      return {
        ...{ status_id: id, ...stage, now: this.standing.get(id) ?? 0 },
        ...{ entered: entries.length, left: times.length, leads: leads.size, converted: converted.length },
        conversion: leads.size === 0 || stage.kind === 'success' ? null : converted.length / leads.size,
        ...{ median_seconds: percentile(times, 0.5), p90_seconds: percentile(times, 0.9) },
      };
    });
    return rows.filter(({ archived, now, entered, left }) => !archived || now + entered + left > 0);
  }

  private movesOf(isThen: (at: Date) => boolean, asked: Asked): object[] {
    const rows = [null, ...this.stages.map(({ id }) => id)].map((status_id) => ({
      status_id,
      entered: this.moves.filter(({ to, at }) => to === status_id && isIn(at, asked) && isThen(at)).length,
      left: this.stays().filter(
        (stay) => stay.status_id === status_id && isIn(stay.left_at, asked) && isThen(stay.left_at),
      ).length,
    }));
    return rows.filter(({ entered, left }) => entered + left > 0).sort(byStage);
  }

  /** Stays that are over. Where the log begins with a move, its dialog was in the stage since it was opened. */
  private stays(): { status_id: string | null; left_at: Date; seconds: number }[] {
    const last = new Map<string, Pick<Move, 'to' | 'microsecond'>>();
    return this.moves.flatMap((move) => {
      const origin =
        move.type === 'status' ? { to: move.from, microsecond: move.opened_microsecond } : undefined;
      const before = last.get(move.thread_id) ?? origin;
      last.set(move.thread_id, move);
      return before
        ? [
            {
              status_id: before.to,
              left_at: move.at,
              seconds: (move.microsecond - before.microsecond) / 1_000_000,
            },
          ]
        : [];
    });
  }

  private messageFigures(isThen: (at: Date) => boolean, asked: Asked): object {
    const ours = this.answered().filter(({ created_at }) => isIn(created_at, asked) && isThen(created_at));
    const by = (of: typeof ours): object => {
      const waited = of.flatMap(({ waited }) => waited ?? []);
      return { answers: waited.length, median_seconds: percentile(waited, 0.5) };
    };
    const speakers = Object.entries(SPEAKERS).map(
      ([speaker, role]) => [speaker, ours.filter((message) => message.role === role)] as const,
    );
    return {
      messages: Object.fromEntries(speakers.map(([speaker, of]) => [speaker, of.length])),
      first_answers: {
        ...by(ours),
        ...Object.fromEntries(speakers.map(([speaker, of]) => [speaker, by(of)])),
      },
    };
  }

  /** Messages of ours that count, and for how many seconds the customer had waited for those that are first answers. */
  private answered(): { role: string; created_at: Date; waited: number | null }[] {
    const waiting = new Map<string, number>();
    const found: { role: string; created_at: Date; waited: number | null }[] = [];
    for (const { thread_id, role, type, status, created_at, microsecond } of this.messages) {
      if (QUIET.includes(type)) continue;
      const since = waiting.get(thread_id);
      if (role === 'USER') {
        if (since === undefined) waiting.set(thread_id, microsecond);
      } else if (!['failed', 'dropped'].includes(status)) {
        const waited = since === undefined ? null : (microsecond - since) / 1_000_000;
        found.push({ role, created_at, waited });
        waiting.delete(thread_id);
      }
    }
    return found;
  }

  templates(asked: Pick<Asked, 'from' | 'to'>): { failed_by_code: object[] }[] {
    const groups = Map.groupBy(
      this.messages.filter(({ type, created_at }) => type === 'template' && isIn(created_at, asked)),
      ({ content }) => `${content.name} ${content.language}`,
    );
    return [...groups.values()].map((messages) => {
      const count = (...states: string[]): number =>
        messages.filter(({ status }) => states.includes(status)).length;
      const sent = messages.filter(({ status }) => ['sent', 'delivered', 'read'].includes(status));
      const failed = messages.filter(({ status }) => status === 'failed');
      const reasons = Map.groupBy(
        failed,
        ({ error_code, provider_code }) => `${error_code} ${provider_code}`,
      );
      return {
        ...{
          name: messages[0]?.content.name,
          language: messages[0]?.content.language,
          messages: messages.length,
        },
        ...{ queued: count('queued', 'sending'), sent: sent.length, delivered: count('delivered', 'read') },
        read: count('read'),
        replied: sent.filter((template) =>
          this.messages.some((message) => {
            const after = message.created_at.getTime() - template.created_at.getTime();
            return (
              message.thread_id === template.thread_id &&
              message.role === 'USER' &&
              !QUIET.includes(message.type) &&
              after > 0 &&
              after <= DAY_MS
            );
          }),
        ).length,
        ...{ unknown: count('unknown'), failed: failed.length },
        failed_by_code: [...reasons.values()].map((of) => ({
          code: of[0]?.error_code,
          provider_code: of[0]?.provider_code,
          messages: of.length,
        })),
      };
    });
  }
}

const isIn = (at: Date, { from, to }: Pick<Asked, 'from' | 'to'>): boolean => at >= from && at < to;

const byStage = (one: { status_id: string | null }, other: { status_id: string | null }): number =>
  (one.status_id ?? '') < (other.status_id ?? '') ? -1 : 1;

const formats = new Map<string, Intl.DateTimeFormat>();
const knownDates = new Map<string, string>();

/** Remembered, because each of them takes some microseconds, and a format many. */
function dateOf(at: Date, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  formats.set(timeZone, format);
  const key = `${timeZone} ${at.getTime()}`;
  const date = knownDates.get(key) ?? format.format(at);
  knownDates.set(key, date);
  return date;
}

/** Every date that an instant of the span has, by asking four times an hour. */
function datesOf({ from, to, timezone }: Asked): string[] {
  const dates = new Set<string>();
  for (let at = from.getTime(); at < to.getTime(); at += 15 * 60_000)
    dates.add(dateOf(new Date(at), timezone));
  return [...dates.add(dateOf(new Date(to.getTime() - 1), timezone))];
}

/** Interpolated linearly, to the millisecond. */
function percentile(values: readonly number[], fraction: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * fraction;
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return Math.round((low + (high - low) * (place - Math.floor(place))) * 1_000) / 1_000;
}
