import { Button, Group, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { CustomerText } from '../../../../shared/ui/customer-text.view';
import { IconArrowLeft } from '../../../../shared/ui/icons.view';
import { ErrorState, LoadingState } from '../../../../shared/ui/states.view';
import { settingsWords } from '../../settings.words';
import { FOCUS_REST, passFocus } from '../../../../shared/ui/focus.hook';
import { useSettingsSearch } from '../settings-search.hook';
import classes from './list-detail.module.css';

/** The name of the entry that is open. The focus comes to it where it stands in the list's place, or would be lost. */
export function DetailHead({ name, children }: { name: string; children?: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (matchMedia('(max-width: 1023px)').matches) title.current?.focus();
    else passFocus(() => title.current);
  }, []);
  return (
    <Group gap="xs" mb="sm">
      <Title order={2} ref={title} {...FOCUS_REST}>
        <CustomerText text={name} />
      </Title>
      {children}
    </Group>
  );
}

interface Props {
  title: string;
  /** Beside the title, such as a button that makes a new entry. */
  action?: ReactNode;
  list: ReactNode;
  /** The entry that is open; null: none. */
  detail: ReactNode | null;
  onBack: () => void;
}

/** A list, and beside it the entry that is open; where the page is narrow, in its place. */
export function ListDetail({ title, action, list, detail, onBack }: Props) {
  const t = settingsWords.use();
  const isOpen = detail !== null;
  const actions = useRef<HTMLDivElement>(null);
  const opened = useRef<HTMLDivElement>(null);
  const [{ id }] = useSettingsSearch();
  // Whoever asks for a new entry goes on in its first field.
  useEffect(() => {
    if (!actions.current?.contains(document.activeElement)) return;
    opened.current?.querySelector<HTMLElement>(':is(input, textarea, select):not([type=hidden])')?.focus();
  }, [id]);
  return (
    <div className={classes.both} data-open={isOpen}>
      <section className={classes.list} aria-label={title}>
        <Group justify="space-between" mb="sm" gap="xs">
          <Title order={1} {...FOCUS_REST}>
            {title}
          </Title>
          <div ref={actions}>{action}</div>
        </Group>
        {list}
      </section>
      {isOpen && (
        <div ref={opened} className={classes.detail}>
          <Button
            className={classes.back}
            variant="subtle"
            size="compact-sm"
            mb="xs"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={onBack}
          >
            {t('backToList')}
          </Button>
          {detail}
        </div>
      )}
    </div>
  );
}

interface ListPendingProps {
  title: string;
  /** Why it could not be read; null: it is being read. */
  error: unknown;
  onRetry: () => void;
}

/** A list that is not there yet, below its title. */
export function ListPending({ title, error, onRetry }: ListPendingProps) {
  return (
    <ListDetail
      title={title}
      list={error === null ? <LoadingState /> : <ErrorState error={error} onRetry={onRetry} />}
      detail={null}
      onBack={() => undefined}
    />
  );
}
