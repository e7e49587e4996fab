import { Alert } from '@mantine/core';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { refusalInWords, type FileRefusal } from './file-refusal.format';
import { importsWords } from './imports.words';

/** That a file as a whole cannot be used, and why. */
export function RefusedFile({ refusal }: { refusal: FileRefusal }) {
  const t = importsWords.use();
  const why = refusalInWords(refusal);
  return (
    <Alert color="red" role="alert">
      {t('fileRefused')}{' '}
      {why === null ? <CustomerText text={refusal.message} lang="en" /> : <CustomerText text={why} />}
    </Alert>
  );
}
