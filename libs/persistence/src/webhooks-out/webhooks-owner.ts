/** Whose slots statements of sending take: beside those of the account's calls, from which it takes none. */
export const webhooksOf = (accountId: string): string => `webhooks of ${accountId}`;
