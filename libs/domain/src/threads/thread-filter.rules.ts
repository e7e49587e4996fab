import { contactOf } from '@app/contracts/values/phone.words';
import { threadIdOrNothing, idOrNothing } from '@app/contracts/uuid.format';
import type { ThreadFilter } from '@app/persistence/threads/thread-filter';
import { searchQuery } from './search.words';

/** The filters as a caller gives them. */
export interface AskedFilter extends Omit<ThreadFilter, 'query' | 'contacts' | 'among'> {
  phones?: readonly string[];
  userIds?: readonly string[];
  threadIds?: readonly string[];
  search?: string;
}

/** The filters of a list as a caller gives them. `needsPerson`: dialogs alone in which a person has to come. */
export interface ListFilter extends Omit<AskedFilter, 'needsPerson'> {
  needsPerson?: boolean;
}

/** The ids in a filter. */
export type NamedIds = Pick<ThreadFilter, 'statusId' | 'statusIds' | 'scenarioId' | 'assigneeId'>;

/** What a filter names by ids. A malformed one is an unknown one. */
export function namedIn({ statusId, statusIds, scenarioId, assigneeId }: NamedIds): NamedIds {
  const known = (id: string | null): string | null => id && idOrNothing(id);
  return {
    statusId: statusId === undefined ? undefined : known(statusId),
    statusIds: statusIds?.map(known),
    assigneeId: assigneeId === undefined ? undefined : known(assigneeId),
    scenarioId: scenarioId === undefined ? undefined : idOrNothing(scenarioId),
  };
}

/** @param hasModel whether this process has a model, so that agents can answer. */
export const askedFilterOf = ({ needsPerson, ...asked }: ListFilter, hasModel: boolean): AskedFilter => ({
  ...asked,
  ...(needsPerson && { needsPerson: { hasModel } }),
});

/** Null: a search without a word, which finds nothing. */
export function threadFilterOf(
  accountId: string,
  { search, phones, userIds, threadIds, ...others }: AskedFilter,
): ThreadFilter | null {
  const words = search === undefined ? undefined : searchQuery(accountId, search);
  if (words === null) return null;
  return {
    ...others,
    ...namedIn(others),
    query: words,
    contacts:
      phones || userIds ? [...new Set([...(phones ?? []).map(contactOf), ...(userIds ?? [])])] : undefined,
    ...(threadIds && { among: threadIds.map(threadIdOrNothing) }),
  };
}
