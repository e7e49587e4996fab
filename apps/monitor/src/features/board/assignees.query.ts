import type { BoardStore } from '@app/client/board.store';
import type { Assignee } from '@app/contracts/lead.words';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/page.api';
import { useLive } from '../../shared/live/live.context';
import { useIsAdmin, useSignedIn } from '../../shared/session/session.store';

/**
 * The people to whom leads can be assigned, by name. Admins may read the list of people; operators know those whom the
 * board shows: to whom its leads are assigned, and who has one open.
 */
export function useColleagues(): readonly Assignee[] {
  const isAdmin = useIsAdmin();
  const { user } = useSignedIn();
  const { store } = useLive();
  const listed = useQuery({
    queryKey: ['colleagues', user.account_id],
    queryFn: () =>
      api.get('/api/v1/admin/users', { params: { query: { account_id: user.account_id, limit: 100 } } }),
    enabled: isAdmin,
  });
  const people = isAdmin
    ? (listed.data?.users ?? []).filter(({ disabled }) => !disabled)
    : colleaguesOn(store);
  return [...new Map(people.map(({ id, name }) => [id, { id, name }])).values()]
    .filter(({ id }) => id !== user.id)
    .sort((one, other) => one.name.localeCompare(other.name));
}

function colleaguesOn(store: BoardStore): Assignee[] {
  const views = store
    .board()
    .columnIds.flatMap((id) => store.column(id)?.ids ?? [])
    .map((id) => store.card(id));
  return views.flatMap((view) => [
    ...(view?.card.assignee ? [view.card.assignee] : []),
    ...(view?.present ?? []),
  ]);
}
