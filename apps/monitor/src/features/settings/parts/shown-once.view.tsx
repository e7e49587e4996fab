import { Alert, Button, Group, Modal, Stack, Text, Code } from '@mantine/core';
import { Copying } from '../../../shared/ui/copying.view';
import { IconCheck, IconCopy } from '../../../shared/ui/icons.view';
import { commonWords } from '../../../shared/words/common.words';
import { useFocusRest } from '../../../shared/ui/focus.hook';
import classes from './copied-text.module.css';

interface CopiedTextProps {
  text: string;
  /** What it is, for the button's name. */
  label: string;
  /** The same as people read it, where it is long; it scrolls. */
  shown?: string;
}

/** A text to be taken elsewhere, such as an address or a key. */
export function CopiedText({ text, label, shown }: CopiedTextProps) {
  const common = commonWords.use();
  return (
    <Group gap="xs" align="flex-start">
      <Code
        block
        dir="ltr"
        className={classes.text}
        aria-label={label}
        role="group"
        {...(shown !== undefined && { mah: 320, tabIndex: 0 })}
      >
        {shown ?? text}
      </Code>
      <Copying text={text}>
        {({ isCopied, copy }) => (
          <Button
            variant="light"
            size="xs"
            onClick={copy}
            aria-label={`${isCopied ? common('copied') : common('copy')}: ${label}`}
            leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          >
            {isCopied ? common('copied') : common('copy')}
          </Button>
        )}
      </Copying>
    </Group>
  );
}

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
