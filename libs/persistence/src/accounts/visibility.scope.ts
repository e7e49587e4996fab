/** Whose dialogs a caller may see: one account, and of it those of these agents. */
export interface Visibility {
  accountId: string;
  assistantIds: readonly string[];
}
