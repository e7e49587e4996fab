import type { RecipientResult } from '@app/client/api.types';
import { presentLanguage } from '../../shared/words/language.store';
import { reasonOf, statusWord } from './result.words';
import { sendWords } from './send.words';

/** Excel takes these for formulas. */
const FORMULA = /^[=+\-@\t\r]/;
const PHONE = /^\+\d{7,15}$/;

/** A cell as it is safe to open in a spreadsheet. A phone stays as it is. */
function cell(text: string, separator: string): string {
  const safe = FORMULA.test(text) && !PHONE.test(text) ? `'${text}` : text;
  return safe.includes(separator) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The results as a file for spreadsheets, in the language of the page. In Russian they part cells by semicolons. */
export function resultCsv(results: readonly RecipientResult[]): string {
  const separator = presentLanguage() === 'ru' ? ';' : ',';
  const t = sendWords.say;
  const head = [t('phone'), t('status'), t('reasonCode'), t('reason'), t('messageId'), t('dialog')];
  const rows = results.map((result) => [
    result.phone ?? '',
    statusWord(result.status),
    result.error ?? '',
    reasonOf(result),
    result.id,
    result.thread_id,
  ]);
  const lines = [head, ...rows].map((cells) => cells.map((text) => cell(text, separator)).join(separator));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}
