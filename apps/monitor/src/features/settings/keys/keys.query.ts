import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../../shared/api/page-api';

/** All keys of the account, the newest first, revoked ones too. */
export const keysQuery = queryOptions({
  queryKey: ['settings', 'keys'],
  queryFn: ({ signal }) =>
    wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/api-keys', { params, signal });
      return { items: answer.api_keys, next: answer.next_cursor };
    }),
});
