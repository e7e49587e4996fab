import { dataSourceOptions } from '@app/persistence/database/data-source-options';
import { Entities } from '@app/persistence/database/entities.service';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { ENTITIES } from '@app/persistence/persistence-entities';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import type { TestDatabase } from './test.database';

/** The ORM over a test's database, for repositories that are made by hand. */
export class EntitySource {
  readonly entities: Entities;

  private constructor(readonly dataSource: DataSource) {
    this.entities = new Entities(dataSource, new InFlightLimiter(16));
  }

  static async open({ url }: TestDatabase): Promise<EntitySource> {
    const options = dataSourceOptions({ url, applicationName: 'leadline test', poolSize: 2 });
    return new EntitySource(await new DataSource({ ...options, entities: ENTITIES }).initialize());
  }

  of<Entity extends ObjectLiteral>(target: EntityTarget<Entity>): Repository<Entity> {
    return this.dataSource.getRepository(target);
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }
}
