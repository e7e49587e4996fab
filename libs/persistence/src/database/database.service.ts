import { deservesAnotherTry, refusalOf } from './database.errors';
import { InFlightLimiter } from './in-flight.limiter';
import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** A statement that is planned once per connection; the name must be unique in the product. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/**
 * Hot statements, named and prepared, on one pool of connections: a statement by the ORM's own `query()` is planned
 * anew each time, 2.1 times the database's CPU (measured).
 */
class PooledStatements {
  constructor(protected readonly pool: Pool) {}

  /**
   * Runs one statement in its own transaction. Deadlocks and stale plans are tried once more: the statement's first
   * run left nothing behind.
   * @throws DatabaseUnavailableError when the database cannot be reached, gave up waiting, or broke both off.
   */
  async run<Row extends object>({ name, text }: PreparedStatement, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>({ name, text, values })).rows;
    } catch (error) {
      if (!deservesAnotherTry(error)) throw refusalOf(error);
    }
    // Without the name, hence planned for this once: after a migration the other connections' plans are stale too.
    return orUnavailable(async () => (await this.pool.query<Row>(text, values)).rows);
  }
}

/** The pool that everything goes through which has no connections of its own. */
export class Database extends PooledStatements {
  constructor(
    pool: Pool,
    private readonly inFlight: InFlightLimiter,
  ) {
    super(pool);
  }

  /**
   * {@link run}, as one of its owner's statements: only so many at a time, so that no account can take every
   * connection. A place is held until the statement is over, whether its caller still waits or not.
   * @param owner an account, or what else asks in a crowd
   * @throws CrowdedError when too many wait, or one has waited too long.
   */
  async runFor<Row extends object>(
    owner: string,
    statement: PreparedStatement,
    values: unknown[],
  ): Promise<Row[]> {
    return this.inFlight.run(owner, () => this.run<Row>(statement, values));
  }

  /**
   * Several statements as one transaction, on one of its owner's places; whatever the work throws rolls it back.
   * Deadlocks and stale plans are tried once more, so the work must do nothing outside the transaction, and must not
   * wait for anything but its statements.
   * @throws DatabaseUnavailableError when the database cannot be reached, gave up waiting, or broke both off.
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

  private async transact<T>(work: (transaction: Transaction) => Promise<T>, planned: boolean): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // A connection that is lost between two statements reports it here, and the next statement fails with it.
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

/** The handle of a transaction under way: whoever has it is in it. */
export class Transaction {
  constructor(
    private readonly client: PoolClient,
    private readonly planned: boolean,
  ) {}

  async run<Row extends object>({ name, text }: PreparedStatement, values: unknown[] = []): Promise<Row[]> {
    const query = this.planned ? { name, text, values } : { text, values };
    return (await this.client.query<Row>(query)).rows;
  }
}

/** The small pool of the admission statement, whose commits need not reach the disk before the answer. */
export class AdmissionDatabase extends PooledStatements {}

/** The connection of the feed's looks. */
export class FeedDatabase extends PooledStatements {}

/** The connections of incoming webhooks, so that they are stored whatever everybody else waits for. */
export class IntakeDatabase extends PooledStatements {}

/** Entities and their repositories, for what is not hot. */
export class Entities {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws DatabaseUnavailableError when the database cannot be reached or gave up waiting. */
  async use<T>(act: (manager: EntityManager) => Promise<T>): Promise<T> {
    return orUnavailable(() => act(this.dataSource.manager));
  }
}

async function orUnavailable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw refusalOf(error);
  }
}
