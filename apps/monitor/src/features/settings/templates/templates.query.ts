import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../../shared/api/page-api';

const ASKED_EACH_MS = 5_000;

/** Every template that the person sees, by name and language. */
export const templatesQuery = queryOptions({
  queryKey: ['settings', 'templates'],
  queryFn: async ({ signal }) => {
    const templates = await wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/templates', { params, signal });
      return { items: answer.templates, next: answer.next_cursor };
    });
    const keyOf = ({ template_id, language }: (typeof templates)[number]) => `${template_id} ${language}`;
    return templates.sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
  },
  // What WhatsApp decides comes while the page is open.
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ status }) => status === 'pending') ? ASKED_EACH_MS : false,
});
