import { Button } from '@mantine/core';
import { IconDownload } from '../../../shared/ui/icons.view';
import { saveFile } from '../../../shared/files/file-download';
import { sendWords } from '../send.words';

/** Hands out the rows that have faults. @param csv makes the file */
export function FaultyRows({ csv }: { csv: () => string }) {
  const t = sendWords.use();
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => saveFile(t('faultyFileName'), csv())}
    >
      {t('faultyRows')}
    </Button>
  );
}
