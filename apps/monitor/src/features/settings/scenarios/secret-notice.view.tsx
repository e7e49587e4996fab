import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { commonWords } from '../../../shared/words/common.words';
import { scenariosWords } from './scenarios.words';

interface Props {
  /** Null: there is none to show. */
  secret: string | null;
  onClose: () => void;
}

/** Shows a signing secret the one time that it is known. */
export function SecretNotice({ secret, onClose }: Props) {
  const t = scenariosWords.use();
  const common = commonWords.use();
  return (
    <Modal opened={secret !== null} onClose={onClose} title={t('secretTitle')} closeOnClickOutside={false}>
      <Stack gap="sm">
        <Text size="sm">{t('secretText')}</Text>
        <Code block>{secret ?? ''}</Code>
        <Group justify="flex-end" gap="xs">
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? common('copied') : common('copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{common('close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
