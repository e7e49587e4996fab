import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../shared/api/page.api';
import { wholeList } from './whole-list.query';

/** The bots that the person sees, by name. Several pages of the settings name them. */
export const botsQuery = queryOptions({
  queryKey: ['settings', 'bots'],
  queryFn: async ({ signal }) => {
    const bots = await wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/bots', { params, signal });
      return { items: answer.bots, next: answer.next_cursor };
    });
    return bots.sort((one, other) => one.name.localeCompare(other.name));
  },
});
