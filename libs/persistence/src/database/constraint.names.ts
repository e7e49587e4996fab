import { DefaultNamingStrategy, type Table } from 'typeorm';

const nameOf = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).split('.').at(-1) ?? '';

/** Names keys as PostgreSQL does by default, so that entities, migrations and errors use the same names. */
export class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}
