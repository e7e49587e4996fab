import { bareIdOf, isUuid } from '@app/contracts/uuid.format';
import type { TimedPosition } from '@app/contracts/values/list-position.format';
import { AuditRepository, type AuditFilter } from '@app/persistence/audit/audit.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { presentEntry, type AuditEntry } from './audit-entry.presenter';

export interface AuditPage {
  entries: AuditEntry[];
  nextAfter: TimedPosition | null;
}

/** The audit for reading. An admin reads the entries of the own account, an admin key those of all and of none. */
@Injectable()
export class AuditLists {
  constructor(private readonly entries: AuditRepository) {}

  /** The newest first. Entries of an account that does not exist are none. */
  async list(
    by: Principal,
    filter: AuditFilter,
    after: TimedPosition | null,
    limit: number,
  ): Promise<AuditPage> {
    const { accountId: own } = reachOf(by);
    const accountId = filter.accountId?.toLowerCase() ?? own;
    const isWithin = accountId === null || (isUuid(accountId) && (own === null || accountId === own));
    if (!isWithin) return { entries: [], nextAfter: null };
    const subjectId = filter.subjectId && bareIdOf(filter.subjectId);
    const rows = await this.entries.page({ ...filter, accountId, subjectId }, after, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      entries: page.map(presentEntry),
      nextAfter: rows.length > limit && last ? { at: last.precise_at, id: last.id } : null,
    };
  }
}
