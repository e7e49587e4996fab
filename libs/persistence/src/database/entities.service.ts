import type { PoolClient } from 'pg';
import {
  QueryFailedError,
  type DataSource,
  type EntityManager,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { DatabaseUnavailableError, deservesAnotherTry, refusalOf } from './database.errors';
import { asSpan } from '@app/contracts/trace-recorder';
import type { InFlightLimiter } from '@app/contracts/in-flight-limiter';

/**
 * The ORM's repositories, for what is not hot. They use the connections of the hot statements, with the same limits
 * and errors.
 */
export class Entities {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inFlight: InFlightLimiter,
  ) {}

  /**
   * Runs work with a repository on one connection, in one of its owner's slots. After a deadlock it is repeated once, so
   * work that writes must be one statement.
   * @param owner an account, or another group of callers
   * @throws DatabaseUnavailableError when the database cannot be reached or gave up waiting, TooManyWaitingError when too
   * many wait, or one has waited too long.
   */
  async useFor<Entity extends ObjectLiteral, T>(
    owner: string,
    repository: Repository<Entity>,
    act: (repository: Repository<Entity>) => Promise<T>,
  ): Promise<T> {
    return this.twice(owner, (manager) => act(manager.withRepository(repository)));
  }

  /**
   * Several statements in one transaction, in one of its owner's slots. Any error of the work rolls it back. After a
   * deadlock the work is repeated once, so it must do nothing outside the transaction and wait for nothing but its
   * statements.
   * @throws DatabaseUnavailableError when the database cannot be reached or gave up waiting, TooManyWaitingError when too
   * many wait, or one has waited too long.
   */
  async transactFor<T>(owner: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.twice(owner, (manager) => manager.transaction(work));
  }

  private async twice<T>(owner: string, act: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.inFlight.run(owner, async () => {
      try {
        return await this.onConnection(act);
      } catch (error) {
        if (!deservesAnotherTry(error)) throw refusalOf(error);
      }
      try {
        return await this.onConnection(act);
      } catch (error) {
        throw refusalOf(error);
      }
    });
  }

  private onConnection<T>(act: (manager: EntityManager) => Promise<T>): Promise<T> {
    return asSpan(
      () => ({ name: 'entities', kind: 'client', facts: { 'db.system.name': 'postgresql' } }),
      () => this.actOn(act),
    );
  }

  private async actOn<T>(act: (manager: EntityManager) => Promise<T>): Promise<T> {
    const session = this.dataSource.createQueryRunner();
    try {
      const client = (await session.connect()) as PoolClient;
      return await act(session.manager).catch((error: unknown) => {
        const cause = error instanceof QueryFailedError ? error.driverError : error;
        // A statement that was given up may still run, so its connection is not reused.
        if (refusalOf(cause) instanceof DatabaseUnavailableError) void client.end();
        throw cause;
      });
    } finally {
      await session.release();
    }
  }
}
