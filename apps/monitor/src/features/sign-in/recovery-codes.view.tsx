import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { downloadFile } from '../../shared/files/file-download';
import { Copying } from '../../shared/ui/copying.view';
import { commonWords } from '../../shared/words/common.words';
import { profileWords } from './profile.words';

/** The codes that stand in for the app. The server shows them this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = profileWords.use();
  const common = commonWords.use();
  const text = codes.join('\n');
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('codesTitle')}</Text>
      <Text size="sm">{t('codesText')}</Text>
      <SimpleGrid component="ol" cols={2} spacing="xs" p={0} m={0} aria-label={t('codesTitle')}>
        {codes.map((code) => (
          <li key={code}>
            <Code fz="md">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <Copying text={text}>
          {({ isCopied, copy }) => (
            <Button variant="default" onClick={copy}>
              {isCopied ? common('copied') : t('copyCodes')}
            </Button>
          )}
        </Copying>
        <Button
          variant="default"
          onClick={() => downloadFile('leadline-recovery-codes.txt', `${text}\n`, 'text/plain')}
        >
          {t('downloadCodes')}
        </Button>
        <Button onClick={onKept}>{t('codesKept')}</Button>
      </Group>
    </Stack>
  );
}
