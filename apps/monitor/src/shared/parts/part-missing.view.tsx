import { Button, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { dismiss, tellFailed } from '../notices/notice.store';
import { commonWords } from '../words/common.words';

const LOOK_EVERY_MS = 500;

interface Props {
  isWindow: boolean;
  /** It comes with the connection; else only by loading the page anew. */
  isAwaited: boolean;
  isOffline: () => boolean;
  onBack: () => void;
}

/** In place of a part whose code is not there. */
export function PartMissing({ isWindow, isAwaited, isOffline, onBack }: Props) {
  const t = commonWords.use();
  const words = isAwaited ? t('partAwaited') : t('partNotLoaded');
  const hint = isAwaited ? t('partAwaitedHint') : t('partNotLoadedHint');
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setInterval(() => !isOffline() && onBack(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isAwaited, isOffline, onBack]);
  useEffect(() => {
    if (!isWindow) return;
    const notice = tellFailed(words, { detail: hint });
    return () => dismiss(notice);
  }, [isWindow, words, hint]);
  if (isWindow) return null;
  return (
    <Stack gap={8} p="xl" align="center" role="alert">
      <Text fw={600} ta="center">
        {words}
      </Text>
      <Text size="sm" ta="center" maw={420}>
        {hint}
      </Text>
      {!isAwaited && (
        <Button variant="light" size="xs" onClick={() => location.reload()}>
          {t('loadAnew')}
        </Button>
      )}
    </Stack>
  );
}
