import { Button, Group, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { useRef } from 'react';
import { IconFileSpreadsheet } from '../ui/icons.view';
import { CustomerText } from '../ui/customer-text.view';

interface Props {
  /** Of the file that is chosen; null: none is. */
  name: string | null;
  words: { choose: string; other: string; hint: string };
  isBusy?: boolean;
  onFile: (file: File) => void;
}

/** A place for one file: to be dropped there, or chosen by a button. */
export function FileDrop({ name, words, isBusy = false, onFile }: Props) {
  const open = useRef<() => void>(null);
  return (
    <Dropzone
      onDrop={([file]) => file && onFile(file)}
      openRef={open}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      multiple={false}
      loading={isBusy}
      tabIndex={-1}
      inputProps={{ 'aria-label': words.choose }}
      p="sm"
    >
      <Group gap="sm">
        <IconFileSpreadsheet size={28} aria-hidden />
        {name !== null && (
          <Text fw={600}>
            <CustomerText text={name} />
          </Text>
        )}
        <Button variant="default" onClick={() => open.current?.()}>
          {name === null ? words.choose : words.other}
        </Button>
        <Text size="sm" c="dimmed">
          {words.hint}
        </Text>
      </Group>
    </Dropzone>
  );
}
