import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Database } from '../../database/database.service';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { ScenarioSecretEntity } from './scenario.entity';

type SecretRow = Pick<ScenarioSecretEntity, 'key_id' | 'sealed'>;

interface ReadRow extends SecretRow {
  asked_at: Date;
}

/** A scenario of an account. */
export type ScenarioKey = CamelCased<Pick<ScenarioSecretEntity, 'account_id' | 'scenario_id'>>;

/** A sealed text, and the key that sealed it. */
export type SealedSecret = CamelCased<SecretRow>;

/** One that was read, and when it was asked for by the database's clock. */
export type StoredSecret = CamelCased<ReadRow>;

const FIND = statement('scenario-secret').takes('accountId', 'scenarioId').returns<ReadRow>(`
  SELECT key_id, sealed, clock_timestamp() AS asked_at FROM scenario_secrets
   WHERE account_id = :accountId AND scenario_id = :scenarioId`);

const ADD = statement('scenario-secret-add').takes('accountId', 'scenarioId', 'keyId', 'sealed').returns<{
  added: number;
}>(`
  INSERT INTO scenario_secrets (account_id, scenario_id, key_id, sealed)
  VALUES (:accountId, :scenarioId, :keyId, :sealed) ON CONFLICT DO NOTHING RETURNING 1 AS added`);

/** Compared with what was read, so that of two changes at once none is lost. */
const REPLACE = statement('scenario-secret-replace').takes(
  'accountId',
  'scenarioId',
  'keyId',
  'sealed',
  'former',
).returns<{ replaced: number }>(`
  UPDATE scenario_secrets SET key_id = :keyId, sealed = :sealed
   WHERE account_id = :accountId AND scenario_id = :scenarioId AND sealed = :former RETURNING 1 AS replaced`);

/** The sealed secrets of scenarios. */
@Injectable()
export class ScenarioSecretRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  async find(key: ScenarioKey): Promise<StoredSecret | null> {
    const [row] = await this.database.run(FIND, { ...key });
    return row ? { keyId: row.key_id, sealed: row.sealed, askedAt: row.asked_at } : null;
  }

  /** @returns false where there is one already. */
  async add(key: ScenarioKey, secret: SealedSecret): Promise<boolean> {
    return (await this.database.run(ADD, { ...key, ...secret })).length > 0;
  }

  /** @returns false where it is not the former one any more. */
  async replace(
    key: ScenarioKey,
    secret: SealedSecret,
    former: Buffer,
    entryOf: AuditEntryOf<null>,
  ): Promise<boolean> {
    return this.database.transactFor(key.accountId, async (tx) => {
      if ((await tx.run(REPLACE, { ...key, ...secret, former })).length === 0) return false;
      await this.audit.append(tx, entryOf(null));
      return true;
    });
  }

  /** {@link add}, by a person. */
  async addAudited(key: ScenarioKey, secret: SealedSecret, entryOf: AuditEntryOf<null>): Promise<boolean> {
    return this.database.transactFor(key.accountId, async (tx) => {
      if ((await tx.run(ADD, { ...key, ...secret })).length === 0) return false;
      await this.audit.append(tx, entryOf(null));
      return true;
    });
  }
}
