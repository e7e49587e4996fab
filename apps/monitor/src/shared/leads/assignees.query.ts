import type { Assignee } from '@app/contracts/lead.words';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/page-api';

const NOBODY_YET: readonly Assignee[] = [];

/** The people to whom leads of an agent can be assigned, by name. @param isWanted they are shown */
export function useAssignees(assistantId: string, isWanted = true): readonly Assignee[] {
  const listed = useQuery({
    queryKey: ['assignees', assistantId],
    queryFn: ({ signal }) =>
      api.post('/api/v1/leads/get-assignees', { body: { assistant_id: assistantId }, signal }),
    enabled: isWanted,
    select: ({ assignees }) => assignees.toSorted((one, other) => one.name.localeCompare(other.name)),
  });
  return listed.data ?? NOBODY_YET;
}
