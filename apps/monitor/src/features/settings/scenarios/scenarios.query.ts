import type { RunAnswer } from '@app/client/api-types';
import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../../shared/api/page-api';

const SHOWN_RUNS = 10;

/** The names of the templates that may be sent. */
export const templateNamesQuery = queryOptions({
  queryKey: ['settings', 'template-names'],
  queryFn: async ({ signal }): Promise<string[]> => {
    const templates = await wholeList(async (cursor) => {
      const query = { status: 'approved' as const, cursor };
      const read = await api.get('/api/v1/admin/templates', { params: { query }, signal });
      return { items: read.templates, next: read.next_cursor };
    });
    return [...new Set(templates.map(({ template_id: name }) => name))].sort();
  },
});

/** Who works here, for admins: others may not read it. */
export const peopleQuery = queryOptions({
  queryKey: ['settings', 'people-names'],
  queryFn: async ({ signal }): Promise<Map<string, string>> => {
    const people = await wholeList(async (cursor) => {
      const read = await api.get('/api/v1/admin/users', { params: { query: { cursor } }, signal });
      return { items: read.users, next: read.next_cursor };
    });
    return new Map(people.filter(({ disabled }) => !disabled).map(({ id, name }) => [id, name]));
  },
});

/** The latest runs of a scenario, newest first. */
export const latestRunsQuery = (scenarioId: string) =>
  queryOptions({
    queryKey: ['settings', 'latest-runs', scenarioId],
    queryFn: async ({ signal }): Promise<RunAnswer[]> => {
      const query = { scenario_id: scenarioId, limit: SHOWN_RUNS };
      return (await api.get('/api/v1/admin/scenario-runs', { params: { query }, signal })).runs;
    },
    refetchInterval: 10_000,
  });
