import { ActionIcon, Button, Group, Paper, Portal, Text } from '@mantine/core';
import { useCallback, useEffect, useRef, type FocusEvent } from 'react';
import { isCovered, isTyping } from '../keys/single-keys.hook';
import { passFocus } from '../ui/focus.hook';
import { IconAlertTriangle, IconCheck, IconX } from '../ui/icons.view';
import { Copying } from '../ui/copying.view';
import { commonWords } from '../words/common.words';
import { dismiss, useNotices, type Notice, undoLast } from './notice.store';
import classes from './notices.module.css';

/** The element itself; or its card, which an undone move may have drawn anew elsewhere; or the page. */
function presentOf(element: HTMLElement): HTMLElement | null {
  if (element.isConnected) return element;
  const threadId = element.closest<HTMLElement>('[data-thread-id]')?.dataset.threadId ?? '';
  const card = document.querySelector<HTMLElement>(
    `[role=listitem][data-thread-id="${CSS.escape(threadId)}"]`,
  );
  return card ?? document.getElementById('content');
}

/** A notice that goes away with the focus in it gives it back to where it was. @returns handlers for what is around all */
function useNoticeFocus(notices: readonly Notice[]) {
  const isWithin = useRef(false);
  const before = useRef<EventTarget | null>(null);
  useEffect(() => {
    if (!isWithin.current) return;
    passFocus(() => {
      isWithin.current = false;
      return before.current instanceof HTMLElement ? presentOf(before.current) : null;
    });
  }, [notices]);
  const isFromOutside = ({ relatedTarget, currentTarget }: FocusEvent): boolean =>
    !currentTarget.contains(relatedTarget);
  return {
    onFocus: (event: FocusEvent): void => {
      if (!isFromOutside(event)) return;
      isWithin.current = true;
      before.current = event.relatedTarget;
    },
    onBlur: (event: FocusEvent): void => {
      if (event.relatedTarget !== null && isFromOutside(event)) isWithin.current = false;
    },
  };
}

/** Ctrl+Z or Cmd+Z presses the last "Undo" while that is shown. In a field it undoes what was typed there. */
function useUndoKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event;
      if (code !== 'KeyZ' || ctrlKey === metaKey || altKey || shiftKey || isTyping(target)) return;
      if (repeat || isCovered()) return;
      if (undoLast()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** What passed is told politely, what failed at once. Both regions always exist, so that screen readers hear news in them. */
export function Notices() {
  const notices = useNotices();
  const focus = useNoticeFocus(notices);
  const measured = useNoticeHeight();
  useUndoKey();
  const shown = (kind: Notice['kind']) =>
    notices
      .filter((notice) => notice.kind === kind)
      .map((notice) => <Shown key={notice.id} notice={notice} />);
  return (
    <Portal>
      <div ref={measured} className={classes.notices} {...focus}>
        <div role="alert">{shown('failed')}</div>
        <div role="status">{shown('done')}</div>
      </div>
    </Portal>
  );
}

const HEIGHT_PROPERTY = '--ll-notices-height';

/** For the element of all notices: tells how much of the page's lower edge they lie over, so that a board keeps its cards clear. */
function useNoticeHeight(): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback((element) => {
    if (!element) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { height } = element.getBoundingClientRect();
      if (height === 0) style.removeProperty(HEIGHT_PROPERTY);
      else style.setProperty(HEIGHT_PROPERTY, `${height}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT_PROPERTY);
    };
  }, []);
}

function Shown({ notice }: { notice: Notice }) {
  const t = commonWords.use();
  const { id, kind, text, detail, requestId, action } = notice;
  return (
    <Paper className={classes.notice} data-kind={kind} shadow="md" withBorder p="xs">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {kind === 'failed' ? (
          <IconAlertTriangle size={18} className={classes.icon} aria-hidden />
        ) : (
          <IconCheck size={18} className={classes.icon} aria-hidden />
        )}
        <div className={classes.words}>
          <Text size="sm">{text}</Text>
          {detail !== undefined && (
            <Text size="xs" c="dimmed">
              {detail}
            </Text>
          )}
          {requestId && (
            <Copying text={requestId}>
              {({ isCopied, copy }) => (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  onClick={copy}
                  aria-label={isCopied ? undefined : t('copyRequestId', { id: requestId })}
                >
                  {isCopied ? t('copied') : t('requestId', { id: requestId })}
                </Button>
              )}
            </Copying>
          )}
        </div>
        {action && (
          <Button
            size="compact-sm"
            variant="light"
            aria-keyshortcuts={action.isUndo ? 'Control+Z Meta+Z' : undefined}
            onClick={() => {
              dismiss(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t('close')}
          onClick={() => dismiss(id)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
