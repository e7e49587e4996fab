import { idOrNothing } from '@app/contracts/uuid.format';
import type { ThreadFilter } from '@app/persistence/threads/thread.filter';
import { contactOf } from '../messages/contact.address';
import { searchQuery } from './search.words';

/** The filters as a caller gives them. */
export interface AskedFilter extends Omit<ThreadFilter, 'query' | 'contacts' | 'among'> {
  phones?: readonly string[];
  search?: string;
}

/** Null: a search without a word, which finds nothing. */
export function threadFilterOf(
  accountId: string,
  { search, phones, statusId, statusIds, scenarioId, assigneeId, ...others }: AskedFilter,
): ThreadFilter | null {
  const words = search === undefined ? undefined : searchQuery(accountId, search);
  if (words === null) return null;
  const known = (id: string | null): string | null => id && idOrNothing(id);
  return {
    ...others,
    statusId: statusId === undefined ? undefined : known(statusId),
    statusIds: statusIds?.map(known),
    assigneeId: assigneeId === undefined ? undefined : known(assigneeId),
    scenarioId: scenarioId === undefined ? undefined : idOrNothing(scenarioId),
    query: words,
    contacts: phones && [...new Set(phones.map(contactOf))],
  };
}
