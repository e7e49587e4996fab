import type { QueryRunner } from 'typeorm';

/** Foreign keys want rows in an order that no file has; they are checked when they are made again. */
const REFERENCES = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS off,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS on
    FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
   ORDER BY k.conrelid::regclass::text, k.conname`;

/** Indexes that are no constraint's: made once at the end, they cost a fraction of what each row would. */
const INDEXES = `
  SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS off, pg_get_indexdef(i.indexrelid) AS on
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
   WHERE c.relnamespace = current_schema()::regnamespace
     AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
   ORDER BY i.indexrelid::regclass::text`;

/** What they would do is in the file already, such as what is queued for search. */
const TRIGGERS = `
  SELECT DISTINCT format('ALTER TABLE %s DISABLE TRIGGER USER', t.tgrelid::regclass) AS off,
         format('ALTER TABLE %s ENABLE TRIGGER USER', t.tgrelid::regclass) AS on
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`;

/**
 * Takes foreign keys, indexes and triggers off all tables, within the session's transaction.
 * @returns puts them back; foreign keys are checked by that, and unique indexes too
 */
export async function bareTables(session: QueryRunner): Promise<() => Promise<void>> {
  const back: string[] = [];
  for (const found of [REFERENCES, TRIGGERS, INDEXES]) {
    for (const { off, on } of await session.manager.query<{ off: string; on: string }[]>(found)) {
      await session.query(off);
      back.unshift(on);
    }
  }
  return async () => {
    for (const statement of back) await session.query(statement);
  };
}
