import type { AssistantAnswer, ToolAnswer } from '@app/client/api-types';
import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../../shared/api/page-api';

/** All agents of the account, in the order of their making. */
export const assistantsQuery = queryOptions({
  queryKey: ['settings', 'assistants'],
  queryFn: ({ signal }): Promise<AssistantAnswer[]> =>
    wholeList(async (cursor) => {
      const query = { cursor };
      const read = await api.get('/api/v1/admin/assistants', { params: { query }, signal });
      return { items: read.assistants, next: read.next_cursor };
    }),
});

/** The tools of an agent, in the order of their making. */
export const toolsQuery = (assistantId: string) =>
  queryOptions({
    queryKey: ['settings', 'tools', assistantId],
    queryFn: ({ signal }): Promise<ToolAnswer[]> =>
      wholeList(async (cursor) => {
        const params = { path: { id: assistantId }, query: { cursor } };
        const read = await api.get('/api/v1/admin/assistants/{id}/tools', { params, signal });
        return { items: read.tools, next: read.next_cursor };
      }),
  });
