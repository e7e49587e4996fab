import { Button, Group, Text, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { PassingButton } from '../../../../shared/ui/buttons.view';
import { commonWords } from '../../../../shared/words/common.words';
import { settingsWords } from '../../settings.words';
import type { SettingsSearch } from '../settings-search.hook';
import classes from './save-bar.module.css';

interface LeaveGuardProps {
  /** Asked at the moment of leaving. */
  isDirty: () => boolean;
  /** Whether what is typed stays on the same page of the settings with this search, such as in another tab. */
  keeps?: (next: SettingsSearch) => boolean;
}

/** Asks before unsaved changes are lost: on the way to another page or entry, and when the tab is closed. */
export function LeaveGuard({ isDirty, keeps = () => false }: LeaveGuardProps) {
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

interface Props {
  isDirty: boolean;
  isBusy: boolean;
  /** Else "Save". */
  label?: string;
  onDiscard?: () => void;
  /** Further actions, such as removing the entry. */
  children?: ReactNode;
}

/** At the foot of a form, in sight while the form is scrolled. On a phone further actions stand below it, out of the way. */
export function SaveBar({ isDirty, isBusy, label, onDiscard, children }: Props) {
  const t = settingsWords.use();
  const common = commonWords.use();
  const saving = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    document.body.dataset.saveBar = '';
    return () => void delete document.body.dataset.saveBar;
  }, []);
  return (
    <div className={classes.bar}>
      <Group gap="xs" className={classes.saving}>
        <Button ref={saving} type="submit" loading={isBusy}>
          {label ?? common('save')}
        </Button>
        {isDirty && onDiscard && (
          <PassingButton variant="default" next={() => saving.current} onClick={onDiscard}>
            {t('discard')}
          </PassingButton>
        )}
        {isDirty && (
          <Text size="sm" c="dimmed">
            {t('unsaved')}
          </Text>
        )}
      </Group>
      {children && <div className={classes.further}>{children}</div>}
    </div>
  );
}
