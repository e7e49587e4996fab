import type { EntityManager } from 'typeorm';
import { orderedValues, type SqlStatement, type ValuesOf } from './sql.statements';

/** Runs a statement on the connection of the ORM's repositories, as a part of their transaction. */
export async function runWith<Row extends object, Parameter extends string>(
  manager: EntityManager,
  statement: SqlStatement<Row, Parameter>,
  values: ValuesOf<Parameter>,
): Promise<Row[]> {
  return manager.query<Row[]>(statement.text, orderedValues(statement, values));
}
