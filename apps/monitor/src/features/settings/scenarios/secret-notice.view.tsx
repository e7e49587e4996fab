import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { Copying } from '../../../shared/ui/copying.view';
import { commonWords } from '../../../shared/words/common.words';
import { useFocusRest } from '../../../shared/ui/focus.rest';
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
  const onClosed = useFocusRest();
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title={t('secretTitle')}
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        <Text size="sm">{t('secretText')}</Text>
        <Code block>{secret ?? ''}</Code>
        <Group className="ll-answers" justify="flex-end" gap="xs">
          <Copying text={secret ?? ''}>
            {({ isCopied, copy }) => (
              <Button variant="default" onClick={copy}>
                {isCopied ? common('copied') : common('copy')}
              </Button>
            )}
          </Copying>
          <Button onClick={onClose}>{common('close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
