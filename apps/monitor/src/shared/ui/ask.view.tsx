import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CustomerText } from './customer-text.view';
import { commonWords } from '../words/common.words';
import { useFocusRest } from './focus.hook';

interface Props {
  isOpen: boolean;
  title: string;
  text?: string;
  /** Of the thing that it is about. */
  name?: string;
  /** Further fields, such as where the leads go. */
  children?: ReactNode;
  action: string;
  isGrave?: boolean;
  isBusy?: boolean;
  /** As long as a field lacks what it needs. */
  isDisabled?: boolean;
  onAnswer: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Ask({
  isOpen,
  title,
  text,
  name,
  children,
  action,
  isGrave = true,
  isBusy,
  isDisabled,
  onAnswer,
  onClose,
}: Props) {
  const t = commonWords.use();
  const onClosed = useFocusRest();
  return (
    <Modal opened={isOpen} onClose={onClose} onExitTransitionEnd={onClosed} title={title}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A form that it stands in by the components, though not in the document, is not meant.
          event.stopPropagation();
          onAnswer();
        }}
      >
        {text !== undefined && <Text size="sm">{text}</Text>}
        {name !== undefined && (
          <Text fw={600} my="xs">
            <CustomerText text={name} />
          </Text>
        )}
        {children}
        <Group className="ll-answers" justify="flex-end" gap="xs" mt="md">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color={isGrave ? 'red' : undefined} loading={isBusy} disabled={isDisabled}>
            {action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
