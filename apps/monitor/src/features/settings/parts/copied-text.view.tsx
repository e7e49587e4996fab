import { Button, Code, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '../../../shared/ui/icons.view';
import { Copying } from '../../../shared/ui/copying.view';
import { commonWords } from '../../../shared/words/common.words';
import classes from './copied-text.module.css';

interface Props {
  text: string;
  /** What it is, for the button's name. */
  label: string;
  /** The same as people read it, where it is long; it scrolls. */
  shown?: string;
}

/** A text to be taken elsewhere, such as an address or a key. */
export function CopiedText({ text, label, shown }: Props) {
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
