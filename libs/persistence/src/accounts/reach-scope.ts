import { In, type FindOperator } from 'typeorm';

/** What a caller administers, or may read of it. Null: all there are. */
export interface Reach {
  accountId: string | null;
  assistantIds: readonly string[] | null;
}

/** All callers that administer every account. */
const ADMINS = 'admins';

/** Whose slots a call takes. */
export const ownerOf = ({ accountId }: Pick<Reach, 'accountId'>): string => accountId ?? ADMINS;

export const inAccount = ({ accountId }: Reach): { account_id?: string } =>
  accountId === null ? {} : { account_id: accountId };

/** For a table whose rows belong to agents. */
export const ofAssistants = ({ assistantIds }: Reach): { assistant_id?: FindOperator<string> } =>
  assistantIds === null ? {} : { assistant_id: In([...assistantIds]) };

/** The parameters of {@link withinReach}. */
export const reachValues = ({ accountId, assistantIds }: Reach) => ({
  reachAccount: accountId,
  reachAssistants: assistantIds,
});

/** The condition that a row with an account and an agent is within reach. */
export const withinReach = (row: string): string => `
  (:reachAccount::uuid IS NULL OR ${row}.account_id = :reachAccount)
  AND (:reachAssistants::uuid[] IS NULL OR ${row}.assistant_id = ANY (:reachAssistants::uuid[]))`;

/** The dialogs that a caller may see: of one account, those of these agents. */
export interface Visibility {
  accountId: string;
  assistantIds: readonly string[];
}
