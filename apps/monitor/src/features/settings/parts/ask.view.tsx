import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { commonWords } from '../../../shared/words/common.words';

interface Props {
  isOpen: boolean;
  title: string;
  text?: string;
  /** Further fields, such as where the leads go. */
  children?: ReactNode;
  action: string;
  isGrave?: boolean;
  isBusy?: boolean;
  onAnswer: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Ask({
  isOpen,
  title,
  text,
  children,
  action,
  isGrave = true,
  isBusy,
  onAnswer,
  onClose,
}: Props) {
  const t = commonWords.use();
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      {text !== undefined && <Text size="sm">{text}</Text>}
      {children}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button color={isGrave ? 'red' : undefined} loading={isBusy} onClick={onAnswer}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
