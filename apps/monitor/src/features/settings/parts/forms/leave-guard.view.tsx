import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { settingsWords } from '../../settings.words';
import type { SettingsSearch } from '../settings-search.hook';

interface Props {
  /** Asked at the moment of leaving. */
  isDirty: () => boolean;
  /** Whether what is typed stays on the same page of the settings with this search, such as in another tab. */
  keeps?: (next: SettingsSearch) => boolean;
}

/** Asks before unsaved changes are lost: on the way to another page or entry, and when the tab is closed. */
export function LeaveGuard({ isDirty, keeps = () => false }: Props) {
  const t = settingsWords.use();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty() && !(next.pathname === current.pathname && keeps(next.search as SettingsSearch)),
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
      <Group className="ll-answers" justify="flex-end" gap="xs" mt="md">
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
