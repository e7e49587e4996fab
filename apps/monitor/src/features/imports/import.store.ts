import type { Channel } from '@app/contracts/message.words';
import type { EncodingChoice } from '@app/contracts/values/text-encoding';

/** What is imported, and where to. */
export interface GivenImport {
  file: File;
  assistantId: string;
  botId: string;
  channel: Channel;
  startScenarios: boolean;
  /** Null: the service finds it. */
  encoding: EncodingChoice | null;
}

/** The file of the check that this tab has begun. It is gone with the tab, or at the next check. */
let checked: { importId: string; given: GivenImport } | null = null;

export const keepChecked = (importId: string, given: GivenImport): void => {
  checked = { importId, given };
};

/** What a check was of. Null: another tab has begun it, or the page was loaded anew. */
export const givenOf = (importId: string): GivenImport | null =>
  checked?.importId === importId ? checked.given : null;
