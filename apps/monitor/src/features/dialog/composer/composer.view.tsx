import { ActionIcon, Button, SegmentedControl, Textarea, Tooltip } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { useRef, type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from 'react';
import { drafts } from '../../../shared/drafts/draft.store';
import { isComposing } from '../../../shared/keys/single-keys.hook';
import { IconPaperclip, IconSend2, IconTemplate } from '../../../shared/ui/icons.view';
import { momentOf } from '../../../shared/format/time.format';
import { useClock } from '../../../shared/ui/clock.hook';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { isWindowOpen } from '../dialog.hook';
import { AttachmentView, type Attaching } from './attachment.view';
import classes from './composer.module.css';
import { composerWords } from './composer.words';
import { isolated } from '../../../shared/format/direction.format';
import { customerName } from '../../../shared/leads/lead-names.format';

interface Draft {
  text: string;
  /** What is kept now, whatever was drawn. */
  read: () => string;
  write: (text: string) => void;
}

/** What is typed and not sent, in this tab and the others. @param place the dialog, or another place to type */
export function useDraft(place: string): Draft {
  const [text, setText] = useState(() => drafts.read(place));
  const latest = useRef(text);
  useEffect(() => {
    const take = (typed: string): void => {
      latest.current = typed;
      setText(typed);
    };
    take(drafts.read(place));
    return drafts.onForeign(place, take);
  }, [place]);
  const write = useCallback(
    (typed: string) => {
      latest.current = typed;
      drafts.keep(place, typed);
      setText(typed);
    },
    [place],
  );
  return { text, read: () => latest.current, write };
}

/** What the messenger takes of a text, and the service of a note. */
const MOST = 4_096;
/** Kinds of files that go without a text. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(['audio', 'voice', 'sticker']);

export type ComposerMode = 'message' | 'note';

interface Props {
  card: Card;
  mode: ComposerMode;
  onMode: (mode: ComposerMode) => void;
  draft: Draft;
  attaching: Attaching;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (text: string) => void;
  onTemplates: () => void;
  onTyping: () => void;
  /** Escape, where nothing is typed. */
  onEscape: () => void;
  /** Escape from what is typed, which stays. */
  onLeave: () => void;
}

/** Where one writes to the customer, or a note to colleagues. */
export function Composer(props: Props) {
  const { card, mode, onMode, field, onTemplates } = props;
  const t = composerWords.use();
  const now = useClock(10_000);
  if (card.erased_at !== null) return <div className={classes.closed}>{t('erased')}</div>;
  const closed = closedWords(card, now);
  return (
    <section className={classes.composer} aria-label={t('writing')}>
      <div className={classes.top}>
        <SegmentedControl
          size="xs"
          aria-label={t('whatToWrite')}
          data={[
            { value: 'message', label: t('toCustomer') },
            { value: 'note', label: t('asNote') },
          ]}
          value={mode}
          onChange={onMode}
          // Whoever chooses by pointer goes on to write. By keyboard the choice keeps the focus.
          onClick={({ detail: presses }) => presses > 0 && setTimeout(() => field.current?.focus())}
        />
        {mode === 'message' && (
          <CustomerText
            className={classes.to}
            component="span"
            text={t('messageTo', { name: isolated(customerName(card)) })}
          />
        )}
      </div>
      {mode === 'message' && closed !== null ? (
        <div className={classes.closed}>
          <p>{t(closed)}</p>
          <Button leftSection={<IconTemplate size={16} aria-hidden />} onClick={onTemplates}>
            {t('chooseTemplate')}
          </Button>
        </div>
      ) : (
        <Writing {...props} />
      )}
    </section>
  );
}

/** Why free texts cannot be sent; null: they can. */
function closedWords(card: Card, now: number): 'optedOut' | 'windowClosed' | 'windowNever' | null {
  if (card.opted_out) return 'optedOut';
  if (isWindowOpen(card, now)) return null;
  return card.window_until === null ? 'windowNever' : 'windowClosed';
}

function Writing(props: Props) {
  const { card, mode, draft, attaching, field, onSend, onTemplates, onTyping, onEscape, onLeave } = props;
  const until = card.window_until;
  const t = composerWords.use();
  const chooser = useRef<HTMLInputElement>(null);
  const { attachment, attach } = attaching;
  const isNote = mode === 'note';
  const text = draft.text;
  const file = isNote ? null : attachment;
  const length = [...text].length;
  const fault =
    length > MOST
      ? t('tooLong', { length, most: MOST })
      : file?.media && WITHOUT_TEXT.has(file.media.kind) && text.trim() !== ''
        ? t('noCaption')
        : null;
  const isReady =
    fault === null && (text.trim() !== '' || file !== null) && (file === null || file.media !== null);
  // What is kept, not what was drawn: two presses of Enter come before one drawing.
  const send = (): void => {
    const typed = draft.read();
    if (fault === null && (file === null || file.media !== null) && (typed.trim() !== '' || file !== null))
      onSend(typed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      if (draft.read() === '') onEscape();
      else onLeave();
    }
  };
  return (
    <>
      {file && <AttachmentView attachment={file} onRemove={attaching.remove} />}
      <div className={classes.row}>
        <Textarea
          ref={field}
          className={classes.field}
          data-note={isNote || undefined}
          autosize
          minRows={1}
          maxRows={8}
          dir="auto"
          aria-label={t(mode)}
          aria-keyshortcuts="Enter"
          placeholder={isNote ? t('notePlaceholder') : undefined}
          value={text}
          error={fault}
          onChange={(event) => {
            draft.write(event.currentTarget.value);
            onTyping();
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (isNote || event.clipboardData.files.length === 0) return;
            event.preventDefault();
            attach(event.clipboardData.files);
          }}
        />
        <Button
          className={classes.send}
          disabled={!isReady}
          // By pointer the field keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={({ currentTarget }) => {
            send();
            if (document.activeElement === currentTarget) field.current?.focus();
          }}
          aria-label={isNote ? t('addNote') : t('send')}
          rightSection={<IconSend2 size={16} aria-hidden />}
        >
          <span className={classes.sendWords}>{isNote ? t('add') : t('send')}</span>
        </Button>
      </div>
      {!isNote && (
        <div className={classes.tools}>
          <Tooltip label={t('attach')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('attach')}
              onClick={() => chooser.current?.click()}
            >
              <IconPaperclip size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label={t('attach')}
            onChange={(event) => {
              attach(event.currentTarget.files ?? []);
              event.currentTarget.value = '';
              field.current?.focus();
            }}
          />
          <Tooltip label={t('templates')}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('templates')} onClick={onTemplates}>
              <IconTemplate size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <span className={classes.keys}>{t('keys')}</span>
          {until !== null && (
            <span className={classes.until} data-window-until={until}>
              {t('windowUntil', { until: momentOf(until) })}
            </span>
          )}
        </div>
      )}
    </>
  );
}
