import type { ScenarioAnswer, StageSettingsAnswer } from '@app/client/api-types';
import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../../shared/api/page-api';

/** The stages of an agent, in their order. */
export const stagesQuery = (assistantId: string) =>
  queryOptions({
    queryKey: ['settings', 'stages', assistantId],
    queryFn: ({ signal }): Promise<StageSettingsAnswer[]> =>
      wholeList(async (cursor) => {
        const query = { assistant_id: assistantId, cursor };
        const read = await api.get('/api/v1/admin/statuses', { params: { query }, signal });
        return { items: read.statuses, next: read.next_cursor };
      }),
  });

/** The scenarios of an agent, stage by stage. */
export const scenariosQuery = (assistantId: string) =>
  queryOptions({
    queryKey: ['settings', 'scenarios', assistantId],
    queryFn: ({ signal }): Promise<ScenarioAnswer[]> =>
      wholeList(async (cursor) => {
        const query = { assistant_id: assistantId, cursor };
        const read = await api.get('/api/v1/admin/scenarios', { params: { query }, signal });
        return { items: read.scenarios, next: read.next_cursor };
      }),
  });
