import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { PassingButton } from '../../../../shared/ui/buttons.view';
import { commonWords } from '../../../../shared/words/common.words';
import { settingsWords } from '../../settings.words';
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
