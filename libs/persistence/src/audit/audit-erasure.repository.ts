import type { TimedPosition } from '@app/contracts/values/list-position.format';
import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.service';
import { preciseTime, preciseTimeOf, statement, type ValuesOf } from '../database/sql.statements';

/** Names of fewer characters occur in any text. */
const SHORTEST_NAME = 3;

export const longNamesOf = (names: readonly string[]): string[] =>
  names.map((name) => name.trim()).filter((name) => name.length >= SHORTEST_NAME);

/** What names a customer where it occurs in an id that a caller chose: addresses, and names unless they are very short. */
export const wordsInIds = (needles: readonly string[], names: readonly string[]): string[] => [
  ...needles,
  ...longNamesOf(names),
];

/** The words as {@link hasAny} takes them. */
export const patternsOf = (words: readonly string[]): string[] =>
  words.map((word) => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`);

/** Whether one of some words occurs in a text, in capitals or not. It costs a quarter of `strpos` for each word (measured). */
export const hasAny = (text: string, patterns: string): string => `lower(${text}) LIKE ANY (${patterns})`;

/** What of a customer is erased from the entries of the account. */
export interface ErasedCustomer {
  accountId: string;
  /** Whose entries have names: others may have things of the same name. */
  subjectId: string;
  /** A text of an entry of the subject that is one of these. */
  names: readonly string[];
  /** The id of a call, about anything, in which one of these occurs. */
  words: readonly string[];
  /** A text of any entry in which one of these occurs. */
  phones: readonly string[];
}

/** What an account's audit was searched for, and which entries were found. */
export interface AuditSearch {
  /** The time from which entries may have come since. */
  since: string;
  customers: readonly ErasedCustomer[];
  /** Their ids, by their accounts. Null: too many to be kept. */
  found: ReadonlyMap<string, readonly string[]> | null;
}

/** A slice takes some tenths of a second where each of its entries is about the customer, milliseconds where none is. */
const SLICE_ROWS = 1_000;

/** Customers of a round have a few each. Where there are more, each dialog's erasure reads the audit itself. */
const FOUND_MAX = 10_000;

/** Entries before are there, or never will be: a transaction that appends one takes less. */
const SETTLED = statement('audit-erase-settled').returns<Pick<TimedPosition, 'at'>>(
  `SELECT ${preciseTime(`(clock_timestamp() - interval '1 minute')`)} AS at`,
);

const ERASED_TEXTS = [
  ...['e.before', 'e.after'].map((column) => `audit_erase(${column}, f.names, :phones)`),
  `audit_erase(to_jsonb(e.subject_name), f.names, :phones) #>> '{}'`,
  `CASE WHEN ${hasAny('e.request_id', ':idPatterns::text[]')} THEN 'erased' ELSE e.request_id END`,
].join(', ');

/** Whether an entry is about one of the subjects, and whether it names a customer. */
const MARKS = `subject_id = ANY (:subjectIds::text[]) IS TRUE AS is_its,
           ${hasAny(`concat_ws(' ', subject_name, before, after)`, ':patterns::text[]')}
             OR ${hasAny('request_id', ':idPatterns::text[]')} IS TRUE AS names_them`;

const SLICE = `
  slice AS MATERIALIZED (
    SELECT at, id, ${MARKS}
      FROM audit_entries
     WHERE account_id = :accountId AND (at, id) > (${preciseTimeOf(':at')}, :id::uuid) ORDER BY at, id LIMIT :limit)`;

/** Of `slice`. The trigger looks at each text of a changed row. */
const ERASED = `
  found AS MATERIALIZED (
    SELECT id, CASE WHEN is_its THEN :names::text[] ELSE '{}' END AS names FROM slice WHERE is_its OR names_them),
  erased AS (
    UPDATE audit_entries e SET (before, after, subject_name, request_id) = ROW (${ERASED_TEXTS})
      FROM found f WHERE e.account_id = :accountId AND e.id = f.id)`;

const WORDS = ['accountId', 'subjectIds', 'patterns', 'idPatterns'] as const;
const ITS = [...WORDS, 'names', 'phones'] as const;
const PLACE = ['at', 'id', 'limit'] as const;

/** Returns the last row of the slice. */
const ERASE_SLICE = statement('audit-erase-slice').takes(...ITS, ...PLACE).returns<TimedPosition>(`
  WITH ${SLICE}, ${ERASED}
  SELECT ${preciseTime('at')} AS at, id FROM slice ORDER BY slice.at DESC, id DESC LIMIT 1`);

/** Returns the last row of the slice, and which of its entries are about one of the customers or name one. */
const SEARCH_SLICE = statement('audit-search-slice').takes(...WORDS, ...PLACE).returns<
  TimedPosition & { found: string[] }
>(`
  WITH ${SLICE}
  SELECT ${preciseTime('at')} AS at, id, ARRAY (SELECT s.id FROM slice s WHERE is_its OR names_them) AS found
    FROM slice ORDER BY slice.at DESC, id DESC LIMIT 1`);

const ERASE_FOUND = statement('audit-erase-found').takes(...ITS, 'ids').returns(`
  WITH slice AS MATERIALIZED (
    SELECT id, ${MARKS} FROM audit_entries WHERE account_id = :accountId AND id = ANY (:ids::uuid[])), ${ERASED}
  SELECT 1`);

/** All entries are later. */
export const FIRST_ENTRY_AT = '0001-01-01 00:00:00';

/** Puts `erased` into entries in the place of a customer's names and phones. They have no index over what they contain. */
@Injectable()
export class AuditErasureRepository {
  constructor(private readonly database: Database) {}

  /**
   * Searches all entries for customers of an account at once, slice by slice, and changes none: a round reads the audit
   * once, however many it erases.
   */
  async search(accountId: string, customers: readonly ErasedCustomer[]): Promise<AuditSearch> {
    const since = await this.settled(accountId);
    const found = new Map<string, string[]>();
    let count = 0;
    await walk(accountId, FIRST_ENTRY_AT, async (ofAccount, place) => {
      const values = { ...wordsOf(customers), ...place, accountId: ofAccount };
      const [last] = await this.database.runFor(accountId, SEARCH_SLICE, values);
      const ids = found.get(ofAccount) ?? [];
      ids.push(...(last?.found ?? []));
      found.set(ofAccount, ids);
      count += last?.found.length ?? 0;
      return count > FOUND_MAX ? undefined : last;
    });
    return { since, customers, found: count > FOUND_MAX ? null : found };
  }

  /**
   * Erases a customer from all entries, slice by slice, each by itself.
   * @param search spares reading them all again, where it was for all that names the customer
   * @returns the time from which entries may have come since
   */
  async eraseBefore(customer: ErasedCustomer, search: AuditSearch | null): Promise<string> {
    const { accountId } = customer;
    if (search?.found && isCovered(customer, search)) {
      for (const [ofAccount, ids] of search.found)
        for (let n = 0; n < ids.length; n += SLICE_ROWS) {
          const values = { ...erasureOf(customer), accountId: ofAccount, ids: ids.slice(n, n + SLICE_ROWS) };
          await this.database.runFor(accountId, ERASE_FOUND, values);
        }
      return search.since;
    }
    const since = await this.settled(accountId);
    await this.eraseFrom(FIRST_ENTRY_AT, customer, (values) =>
      this.database.runFor(accountId, ERASE_SLICE, values),
    );
    return since;
  }

  /** Erases the customer from the entries since then, in the transaction of the erasure. */
  async eraseSince(at: string, customer: ErasedCustomer, within: Transaction): Promise<void> {
    await this.eraseFrom(at, customer, (values) => within.run(ERASE_SLICE, values));
  }

  private async settled(accountId: string): Promise<string> {
    return (await this.database.runFor(accountId, SETTLED))[0]?.at ?? FIRST_ENTRY_AT;
  }

  private async eraseFrom(
    from: string,
    customer: ErasedCustomer,
    run: (values: Slice) => Promise<TimedPosition[]>,
  ): Promise<void> {
    await walk(customer.accountId, from, async (accountId, place) => {
      const [last] = await run({ ...erasureOf(customer), ...place, accountId });
      return last;
    });
  }
}

type Slice = ValuesOf<(typeof ERASE_SLICE)['parameters'][number]>;

/** Whether a search was for all that names the customer now: it may have got another name since. */
function isCovered(customer: ErasedCustomer, { customers }: AuditSearch): boolean {
  const searched = customers.find(({ subjectId }) => subjectId === customer.subjectId);
  const includesAll = (all: readonly string[] = [], some: readonly string[]): boolean =>
    some.every((word) => all.includes(word));
  return (
    searched !== undefined &&
    includesAll(searched.phones, customer.phones) &&
    includesAll(searched.words, customer.words)
  );
}

const wordsOf = (customers: readonly ErasedCustomer[]) => ({
  subjectIds: customers.flatMap(({ subjectId }) => [subjectId, `thread_${subjectId}`]),
  patterns: patternsOf(customers.flatMap(({ phones }) => phones)),
  idPatterns: patternsOf(customers.flatMap(({ words }) => words)),
});

const erasureOf = (customer: ErasedCustomer) => ({
  ...wordsOf([customer]),
  names: customer.names,
  phones: customer.phones,
});

/** Goes through an account's audit in its order. @param look looks at a slice, and returns its last place */
async function walk(
  accountId: string,
  from: string,
  look: (accountId: string, place: TimedPosition & { limit: number }) => Promise<TimedPosition | undefined>,
): Promise<void> {
  // Calls of nobody who was recognised, and of admins of all accounts, have their entries in no account.
  for (const ofAccount of [accountId, NIL_ID])
    for (let last: TimedPosition | undefined = { at: from, id: NIL_ID }; last;)
      last = await look(ofAccount, { at: last.at, id: last.id, limit: SLICE_ROWS });
}
