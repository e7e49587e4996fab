import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../../shared/api/page-api';

/** Everybody of the account, by name; who is disabled comes last. */
export const usersQuery = queryOptions({
  queryKey: ['settings', 'users'],
  queryFn: async ({ signal }) => {
    const users = await wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/users', { params, signal });
      return { items: answer.users, next: answer.next_cursor };
    });
    return users.sort(
      (one, other) => Number(one.disabled) - Number(other.disabled) || one.name.localeCompare(other.name),
    );
  },
});

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['settings', 'account', id],
    queryFn: ({ signal }) => api.get('/api/v1/admin/accounts/{id}', { params: { path: { id } }, signal }),
  });
