import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../../shared/api/page-api';
import { threadIdsIn } from '../parts/thread-id.format';
import type { CallOf, DataOf } from '@app/client/api-calls';

type AuditQuery = NonNullable<NonNullable<CallOf<'get', '/api/v1/admin/audit'>['params']>['query']>;

export type AuditAction = NonNullable<AuditQuery['action']>;
export type AuditEntry = DataOf<'get', '/api/v1/admin/audit'>['entries'][number];

/** As they stand in the page's address. Moments are those of this browser's clock. */
export interface AuditFilters {
  actor?: string;
  action?: string;
  subject?: string;
  after?: string;
  before?: string;
}

const PAGE = 50;

/** @returns undefined for what is no moment, such as one that is only half typed */
function momentOf(local: string | undefined): string | undefined {
  if (local === undefined) return undefined;
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The id of a dialog stands in the link to it. */
const subjectOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : (threadIdsIn(text)[0] ?? (text.trim() || undefined));

function queryOf({ actor, action, subject, after, before }: AuditFilters): AuditQuery {
  const given = {
    actor_id: actor,
    action: action as AuditAction | undefined,
    subject_id: subjectOf(subject),
    after: momentOf(after),
    before: momentOf(before),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Entries, the newest first. */
export const auditQuery = (filters: AuditFilters) => {
  const query = queryOf(filters);
  return infiniteQueryOptions({
    queryKey: ['settings', 'audit', query],
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/admin/audit', {
        params: { query: { ...query, limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
};
