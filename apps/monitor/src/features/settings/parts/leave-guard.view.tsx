import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { settingsWords } from '../settings.words';

/**
 * Asks before unsaved changes are lost: on the way to another page or entry, and when the tab is closed.
 * @param isDirty asked at the moment of leaving
 */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const t = settingsWords.use();
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty(),
    enableBeforeUnload: () => isDirty(),
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('leaveTitle')}
      closeButtonProps={{ 'aria-label': t('stay') }}
    >
      <Text size="sm">{t('leaveText')}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          {t('stay')}
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {t('leave')}
        </Button>
      </Group>
    </Modal>
  );
}
