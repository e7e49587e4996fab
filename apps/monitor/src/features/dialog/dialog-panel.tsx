import type { HistoryEntryAnswer } from '@app/client/api-types';
import type { Card } from '@app/contracts/board-events';
import { Suspense, useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { api } from '../../shared/api/page-api';
import { useSingleKeyActions, isComposing } from '../../shared/keys/single-keys.hook';
import { replyRequest } from '../../shared/live/reply-request';
import { tellError } from '../../shared/notices/notice.store';
import { useSignedIn } from '../../shared/session/session.store';
import { useClock } from '../../shared/ui/clock.hook';
import { ErrorState, LoadingState } from '../../shared/ui/states.view';
import { useAttachment } from './composer/attachment.view';
import { useIsAttended, useMarkRead, usePresence } from './head/attendance.hook';
import { Composer, type ComposerMode, useDraft } from './composer/composer.view';
import { composerWords } from './composer/composer.words';
import classes from './dialog.module.css';
import {
  useDialog,
  useStages,
  type OpenDialog,
  useNamedMessage,
  useAgentAnswering,
  isWindowOpen,
} from './dialog.hook';
import { DialogHead } from './head/head.view';
import { headWords } from './head/head.words';
import { customerName } from '../../shared/leads/lead-names.format';
import type { Sending } from './composer/sending.store';
import { AiSwitch } from './head/switch.view';
import { Timeline } from './timeline/timeline.view';
import { WaitingBar } from './head/waiting-bar.view';
import { lazyPart } from '../../shared/parts/lazy-part';

/**
 * The colleague who took the dialog over, by name. Null: the person here did, or nobody whose name is known: a system, the
 * phone's app, a scenario, or the agent, which handed over.
 */
export function takeoverOwner(history: readonly HistoryEntryAnswer[], userId: string): string | null {
  const last = history.findLast(({ type }) => type === 'handler');
  const actor = last?.to === 'OPERATOR' ? last.actor : null;
  return actor?.type === 'user' && actor.id !== userId ? actor.name : null;
}

const Templates = lazyPart(() => import('./composer/templates.view').then((loaded) => loaded.Templates), {
  isWindow: true,
});

interface Props {
  threadId: string;
  onClose: () => void;
}

/** `/dialogs/<thread>`: what was said and what happened in one dialog, and what can be done there. */
export function DialogPanel({ threadId, onClose }: Props) {
  const draft = useDraft(threadId);
  const attaching = useAttachment();
  const t = composerWords.use();

  /** It goes back to where it was typed, if nothing else stands there by now. */
  const putBack = (sending: Sending, error: unknown): void => {
    const isFree = sending.kind === 'text' && draft.read() === '' && attaching.attachment === null;
    if (isFree) {
      draft.write(sending.text);
      if (sending.media) attaching.restore(sending.media);
      dialog.sending.discard(sending.key);
    }
    tellError(error, { detail: t(isFree ? 'notSent' : 'notSentKept') });
  };
  const dialog = useDialog(threadId, putBack);
  const { state, store } = dialog;
  if (state.status === 'failed')
    return <ErrorState error={state.error} onRetry={() => void store.open(null)} />;
  if (state.status === 'loading' || state.card === null) return <LoadingState />;
  return <OpenPanel {...{ dialog, draft, attaching, onClose }} card={state.card} />;
}

interface OpenProps extends Pick<Props, 'onClose'> {
  dialog: OpenDialog;
  card: Card;
  draft: ReturnType<typeof useDraft>;
  attaching: ReturnType<typeof useAttachment>;
}

function OpenPanel({ dialog, card, draft, attaching, onClose }: OpenProps) {
  const { state, sending } = dialog;
  const { thread_id: threadId } = card;
  const t = headWords.use();
  const { user } = useSignedIn();
  const note = useDraft(`${threadId}.note`);
  const [mode, setMode] = useState<ComposerMode>('message');
  const [areTemplatesOpen, setTemplatesOpen] = useState(false);
  const [isEndSeen, setEndSeen] = useState(false);
  const named = useNamedMessage();
  const panel = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const control = useRef<HTMLButtonElement>(null);
  const stages = useStages(card.assistant_id);
  const isMuted = stages.find(({ id }) => id === card.lead_status?.id)?.ai_enabled === false;
  const onTyping = usePresence(threadId);
  const agent = useAgentAnswering(dialog, card, isMuted);
  useMarkRead(card, state.messages, useIsAttended() && isEndSeen);
  const now = useClock(10_000);
  const canWrite = card.erased_at === null && !card.opted_out && isWindowOpen(card, now);

  const reply = (): void => {
    if (canWrite) setMode('message');
    // When it is there.
    requestAnimationFrame(() => {
      if (field.current) field.current.focus();
      else panel.current?.querySelector<HTMLButtonElement>('section button')?.focus();
    });
  };
  const isErased = card.erased_at !== null;
  useEffect(() => {
    // Nothing of them stays in the browser.
    if (isErased) for (const { write } of [draft, note]) write('');
  }, [isErased]);
  const latestReply = useRef(reply);
  latestReply.current = reply;
  useEffect(() => {
    const look = (): void => {
      if (replyRequest.take(threadId)) latestReply.current();
    };
    look();
    return replyRequest.subscribe(look);
  }, [threadId]);
  useSingleKeyActions({
    KeyA: () => control.current?.click(),
    KeyR: reply,
    Escape: onClose,
  });

  const send = (text: string): void => {
    if (mode === 'note') {
      note.write('');
      sending.send({ kind: 'note', text, media: null }, () =>
        api.post('/api/v1/messages/add-note', { body: { thread_id: threadId, text } }),
      );
      return;
    }
    const media = attaching.attachment?.media ?? null;
    draft.write('');
    attaching.remove();
    again({ kind: 'text', text, media });
  };
  const again = ({ kind, text, media }: Pick<Sending, 'kind' | 'text' | 'media'>): void =>
    sending.send({ kind, text, media }, () =>
      kind === 'note'
        ? api.post('/api/v1/messages/add-note', { body: { thread_id: threadId, text } })
        : api.post('/api/v1/messages/send-text', {
            body: {
              thread_id: threadId,
              ...(text.trim() === '' ? {} : { text }),
              ...(media === null ? {} : { media_id: media.id }),
            },
          }),
    );

  const onEscape = (event: KeyboardEvent): void => {
    // What is open over the panel closes by itself, and is not within it.
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return;
    if (!panel.current?.contains(event.target as Node)) return;
    event.preventDefault();
    onClose();
  };
  const dropping = useDropping(canWrite && mode === 'message', attaching.attach);

  return (
    <div
      ref={panel}
      className={classes.panel}
      role="region"
      aria-label={t('dialog', { name: customerName(card) })}
      data-dialog-of={threadId}
      data-dropping={dropping.isOver || undefined}
      onKeyDown={onEscape}
      {...dropping.handlers}
    >
      <DialogHead dialog={dialog} card={card} onClose={onClose} />
      <AiSwitch
        card={card}
        isMuted={isMuted}
        colleague={takeoverOwner(state.history, user.id)}
        control={control}
        onAnswering={agent.expect}
        onChanged={(fields) => dialog.store.patchCard(card.version, fields)}
      />
      {card.waiting && <WaitingBar card={card} isMuted={isMuted} onAnswering={agent.expect} />}
      <Timeline
        dialog={dialog}
        named={named}
        isAgentAnswering={agent.isAnswering}
        onAgain={(failed) => {
          sending.discard(failed.key);
          again(failed);
        }}
        onEndSeen={setEndSeen}
      />
      <Composer
        card={card}
        mode={mode}
        onMode={setMode}
        draft={mode === 'note' ? note : draft}
        attaching={attaching}
        field={field}
        onSend={send}
        onTemplates={() => setTemplatesOpen(true)}
        onTyping={onTyping}
        onEscape={onClose}
        onLeave={() => panel.current?.querySelector<HTMLElement>('[role=log]')?.focus()}
      />
      {areTemplatesOpen && (
        <Suspense>
          <Templates card={card} onClose={() => setTemplatesOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** A file that is dropped anywhere on the dialog is attached. Cards that are dragged are none. */
function useDropping(isPossible: boolean, attach: (files: FileList) => void) {
  const [isOver, setOver] = useState(false);
  const isFile = (event: DragEvent): boolean => isPossible && event.dataTransfer.types.includes('Files');
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isFile(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!isFile(event)) return;
        event.preventDefault();
        attach(event.dataTransfer.files);
      },
    },
  };
}
