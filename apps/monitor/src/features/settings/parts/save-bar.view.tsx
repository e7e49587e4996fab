import { Button, Group, Text } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { commonWords } from '../../../shared/words/common.words';
import { settingsWords } from '../settings.words';
import classes from './save-bar.module.css';

interface Props {
  isDirty: boolean;
  isBusy: boolean;
  /** Else "Save". */
  label?: string;
  onDiscard?: () => void;
  /** Further actions, such as removing the entry. */
  children?: ReactNode;
}

/** At the foot of a form, in sight while the form is scrolled. */
export function SaveBar({ isDirty, isBusy, label, onDiscard, children }: Props) {
  const t = settingsWords.use();
  const common = commonWords.use();
  useEffect(() => {
    document.body.dataset.saveBar = '';
    return () => void delete document.body.dataset.saveBar;
  }, []);
  return (
    <Group className={classes.bar} gap="xs" justify="space-between">
      <Group gap="xs">
        <Button type="submit" loading={isBusy}>
          {label ?? common('save')}
        </Button>
        {isDirty && onDiscard && (
          <Button variant="default" onClick={onDiscard}>
            {t('discard')}
          </Button>
        )}
        {isDirty && (
          <Text size="sm" c="dimmed">
            {t('unsaved')}
          </Text>
        )}
      </Group>
      {children}
    </Group>
  );
}
