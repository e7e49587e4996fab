import { deservesAnotherTry, refusalOf } from './database.errors';
import { asSpan, type SpanStart } from '@app/contracts/trace-recorder';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { orderedValues, statement, type SqlStatement, type ValuesOf } from './sql.statements';
import type { Pool, PoolClient, QueryResult } from 'pg';

/** Values by the names of their parameters; none for a statement without parameters. */
type Values<Parameter extends string> = [Parameter] extends [never] ? [] : [ValuesOf<Parameter>];

interface Query {
  name: string;
  text: string;
  values: unknown[];
}

function queryOf<Row extends object, Parameter extends string>(
  { name, text, parameters }: SqlStatement<Row, Parameter>,
  [values]: Values<Parameter>,
): Query {
  return { name, text, values: values ? orderedValues({ parameters }, values) : [] };
}

/** A statement in a trace: its name, and never its values. */
const spanOf = (name: string): SpanStart => ({
  ...{ name, kind: 'client' },
  facts: { 'db.system.name': 'postgresql', 'db.query.summary': name },
});

/**
 * Hot statements, named and prepared, on one pool of connections. The ORM's `query()` would plan a statement each
 * time, at 2.1 times the database's CPU (measured).
 */
class PooledStatements {
  constructor(protected readonly pool: Pool) {}

  /**
   * Runs one statement in its own transaction. After a deadlock or a stale plan it is repeated once, because the
   * first run changed nothing.
   * @throws DatabaseUnavailableError when the database cannot be reached, gave up waiting, or failed both times.
   */
  async run<Row extends object, Parameter extends string>(
    statement: SqlStatement<Row, Parameter>,
    ...values: Values<Parameter>
  ): Promise<Row[]> {
    return this.query(queryOf(statement, values));
  }

  protected async query<Row extends object>(query: Query): Promise<Row[]> {
    try {
      return (await this.ask<Row>(query, query.name)).rows;
    } catch (error) {
      if (!deservesAnotherTry(error)) throw refusalOf(error);
    }
    // Without the name, so it is planned for this run only: after a migration the other connections' plans are stale
    // too.
    const { name, text, values } = query;
    return orUnavailable(async () => (await this.ask<Row>({ text, values }, name)).rows);
  }

  private ask<Row extends object>(query: Partial<Query>, name: string): Promise<QueryResult<Row>> {
    return asSpan(
      () => spanOf(name),
      () => this.pool.query<Row>(query as Query),
    );
  }
}

/** A pool whose connections no owner can take alone. */
class SlottedStatements extends PooledStatements {
  constructor(
    pool: Pool,
    protected readonly inFlight: InFlightLimiter,
  ) {
    super(pool);
  }

  /**
   * {@link run}, in one of its owner's slots. Slots keep one account from taking every connection. A slot is held
   * until the statement is over, even when its caller no longer waits.
   * @param owner an account, or another group of callers
   * @throws TooManyWaitingError when too many wait, or one has waited too long.
   */
  async runFor<Row extends object, Parameter extends string>(
    owner: string,
    statement: SqlStatement<Row, Parameter>,
    ...values: Values<Parameter>
  ): Promise<Row[]> {
    return this.inFlight.run(owner, () => this.query(queryOf(statement, values)));
  }
}

const PLAN_FOR_VALUES = statement('plan-for-values').returns('SET LOCAL plan_cache_mode = force_custom_plan');

/** The default pool. */
export class Database extends SlottedStatements {
  /**
   * Work that consists of calls of {@link run}, in one of its owner's slots. It may take part in statements that
   * several owners share. It must not ask for another slot.
   * @throws TooManyWaitingError when too many wait, or one has waited too long.
   */
  async asOneOf<T>(owner: string, work: () => Promise<T>): Promise<T> {
    return this.inFlight.run(owner, work);
  }

  /**
   * Several statements in one transaction, in one of its owner's slots. Any error of the work rolls it back. After a
   * deadlock or a stale plan the work is repeated once, so it must do nothing outside the transaction and wait for
   * nothing but its statements.
   * @throws DatabaseUnavailableError when the database cannot be reached, gave up waiting, or failed both times.
   */
  async transactFor<T>(owner: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.inFlight.run(owner, async () => {
      try {
        return await this.transact(work, true);
      } catch (error) {
        if (!deservesAnotherTry(error)) throw refusalOf(error);
      }
      return orUnavailable(() => this.transact(work, false));
    });
  }

  /**
   * {@link runFor}, planned for its values. For lists whose filter decides what is read best: a plan for any filter has one
   * way for all of them.
   */
  async runPlanned<Row extends object, Parameter extends string>(
    owner: string,
    list: SqlStatement<Row, Parameter>,
    ...values: Values<Parameter>
  ): Promise<Row[]> {
    return this.transactFor(owner, async (transaction) => {
      await transaction.run(PLAN_FOR_VALUES);
      return transaction.run(list, ...values);
    });
  }

  private transact<T>(work: (transaction: Transaction) => Promise<T>, planned: boolean): Promise<T> {
    return asSpan(
      () => spanOf('transaction'),
      () => this.transactOnce(work, planned),
    );
  }

  private async transactOnce<T>(
    work: (transaction: Transaction) => Promise<T>,
    planned: boolean,
  ): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // A connection that is lost between two statements emits the error here, and the next statement fails with it.
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      const result = await work(new Transaction(client, planned));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: Error) => (broken = lost));
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}

/** The handle of a running transaction. Work that has it runs in that transaction. */
export class Transaction {
  constructor(
    private readonly client: PoolClient,
    private readonly planned: boolean,
  ) {}

  async run<Row extends object, Parameter extends string>(
    statement: SqlStatement<Row, Parameter>,
    ...values: Values<Parameter>
  ): Promise<Row[]> {
    const { name, text, values: ordered } = queryOf(statement, values);
    const query = this.planned ? { name, text, values: ordered } : { text, values: ordered };
    const asked = asSpan(
      () => spanOf(name),
      () => this.client.query<Row>(query),
    );
    return (await asked).rows;
  }
}

/**
 * The connections of statements that must not wait for those of calls and workers. {@link run} is for those that take
 * no lock, {@link runFor} for those that may wait for one.
 */
export class ReservedDatabase extends SlottedStatements {}

/** The small pool of the admission statement, whose commits need not reach the disk before the answer. */
export class AdmissionDatabase extends PooledStatements {}

/** The connection by which the feed reads the log. */
export class FeedDatabase extends PooledStatements {}

/** The connections of inbound webhooks, so that webhooks are stored even while all other statements wait. */
export class IntakeDatabase extends PooledStatements {}

/** The connections of statements that serve due work of many accounts together, planned once each. */
export class WorkDatabase extends PooledStatements {}

async function orUnavailable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw refusalOf(error);
  }
}
