/** The dialogs that a caller may see: of one account, those of these agents. */
export interface Visibility {
  accountId: string;
  assistantIds: readonly string[];
}
