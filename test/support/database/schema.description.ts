import type { Pool } from 'pg';

const OBJECTS = `
  SELECT c.relname AS table_name, format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
           CASE WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE '' END,
           coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS line, 1 AS part, a.attnum AS position
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relkind = 'r'
  UNION ALL
  SELECT c.relname, format('  CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), 2, row_number() OVER (ORDER BY k.conname)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
   WHERE k.contype <> 'n'
  UNION ALL
  SELECT t.relname, '  ' || pg_get_indexdef(i.indexrelid), 3, row_number() OVER (ORDER BY c.relname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
   WHERE NOT i.indisprimary
  UNION ALL
  SELECT c.relname, '  WITH ' || array_to_string(c.reloptions, ', '), 4, 1
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
   WHERE c.relkind = 'r' AND c.reloptions IS NOT NULL
  ORDER BY table_name, part, position`;

/** The schema as people read it: each table with its columns, constraints, indexes and storage options. */
export async function describeSchema(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ table_name: string; line: string }>(OBJECTS);
  const tables = Map.groupBy(rows, (row) => row.table_name);
  return [...tables]
    .map(([table, lines]) => `${table}\n${lines.map(({ line }) => line).join('\n')}\n`)
    .join('\n');
}
