/** A table, and its columns in their order. */
export interface TableColumns {
  table: string;
  columns: string[];
}

/** A sequence, by the column that takes its numbers. */
export interface SequenceValue {
  table: string;
  column: string;
  /** The newest number that was given; null: none was. */
  last: string | null;
}

/** The ORM's own table: a restore makes it by running the migrations. */
export const MIGRATIONS = 'migrations';

/** Every table of the schema but the migrations. */
export const TABLES = `
  SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname <> '${MIGRATIONS}'
   GROUP BY c.relname ORDER BY c.relname`;

/** A column's name is quoted by PostgreSQL where it has to be. */
export const SEQUENCES = `
  SELECT c.relname AS table, a.attname AS column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> '' AND NOT a.attisdropped
   WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** As COPY names them. */
export const copied = ({ table, columns }: TableColumns): string =>
  `${quoted(table)} (${columns.map(quoted).join(', ')})`;
