import type { RecipientResult } from '@app/client/api.types';
import { csvOf } from '../../shared/format/csv.file';
import { reasonOf, statusWord } from './result.words';
import { sendWords } from './send.words';

/** The results as a file for spreadsheets, in the language of the page. */
export function resultCsv(results: readonly RecipientResult[]): string {
  const t = sendWords.say;
  const rows = results.map((result) => ({
    [t('phone')]: result.phone ?? '',
    [t('status')]: statusWord(result.status),
    [t('reasonCode')]: result.error ?? '',
    [t('reason')]: reasonOf(result),
    [t('messageId')]: result.id,
    [t('dialog')]: result.thread_id,
  }));
  return csvOf(rows);
}
