import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { commonWords } from '../../../shared/words/common.words';
import { CopiedText } from './copied-text.view';
import { useFocusRest } from '../../../shared/ui/focus.hook';

interface Props {
  /** Null: nothing is shown. It is kept nowhere but in the memory of this page. */
  secret: string | null;
  title: string;
  /** What to do with it. */
  text: string;
  label: string;
  /** Such as until when it is good. */
  further?: string;
  onClose: () => void;
}

/** A secret that the server tells once: a key, a link. */
export function ShownOnce({ secret, title, text, label, further, onClose }: Props) {
  const common = commonWords.use();
  const onClosed = useFocusRest();
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      title={title}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        <Alert color="yellow">{text}</Alert>
        {secret !== null && <CopiedText text={secret} label={label} />}
        {further !== undefined && (
          <Text size="sm" c="dimmed">
            {further}
          </Text>
        )}
        <Group className="ll-answers" justify="flex-end">
          <Button onClick={onClose}>{common('close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
