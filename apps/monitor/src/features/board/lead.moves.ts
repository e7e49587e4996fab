import { ApiError } from '@app/client/api.error';
import type { BoardStore } from '@app/client/board.store';
import type { Happened, StatusId } from '@app/client/board.views';
import { newRequestId } from '@app/client/request-id.format';
import type { Card } from '@app/contracts/board.events';
import type { Actor } from '@app/contracts/lead.words';
import { api } from '../../shared/api/page.api';
import { dismiss, tellDone, tellError, tellFailed } from '../../shared/notices/notice.store';
import { commonWords } from '../../shared/words/common.words';
import { boardWords } from './board.words';
import { actorName, isolated, nameOf, stageName } from './card.words';

const UNDO_MS = 10_000;

export interface Move {
  threadId: string;
  to: StatusId;
  /** The column from which it was taken; undefined: wherever it stands. */
  from?: StatusId;
  answersWaiting?: boolean;
  /** It takes a move back. */
  isUndo?: boolean;
}

/** Moves of one lead go out one after the other: the next one expects what the one before has done. */
const underWay = new Map<string, Promise<unknown>>();

/** Shows a move at once, and makes it: it is confirmed, or taken back with the reason. */
export function moveLead(store: BoardStore, move: Move): Promise<void> {
  const { threadId } = move;
  const requestId = newRequestId();
  const card = store.card(threadId)?.card;
  const from = move.from === undefined ? (card?.lead_status?.id ?? null) : move.from;
  store.begin({ threadId, to: move.to, requestId });
  const before = underWay.get(threadId) ?? Promise.resolve();
  const made = before.then(() => make(store, move, { requestId, from, card }));
  underWay.set(threadId, made);
  return made.finally(() => {
    if (underWay.get(threadId) === made) underWay.delete(threadId);
  });
}

interface Begun {
  requestId: string;
  from: StatusId;
  card: Card | undefined;
}

async function make(store: BoardStore, move: Move, begun: Begun): Promise<void> {
  const { threadId, to, answersWaiting = false, isUndo = false } = move;
  const { requestId, from, card } = begun;
  const expected = move.from === undefined ? {} : { expected_status_id: move.from };
  try {
    const answer = await api.post('/api/v1/leads/set-status', {
      body: {
        ...{ thread_id: threadId, status_id: to, ...expected },
        ...(answersWaiting ? { answer_pending_message: true } : {}),
        ...(isUndo ? { skip_scenarios: true } : {}),
      },
      requestId,
    });
    store.answered(requestId, answer);
    if (card) tellMoved(store, move, { from, card, answers: answer.answered_pending_message });
  } catch (error) {
    store.refuse(requestId);
    if (error instanceof ApiError && error.code === 'STATUS_CONFLICT') await tellConflict(store, move, error);
    else tellError(error, card ? { detail: boardWords.say('notMoved', { name: said(card) }) } : {});
  }
}

const said = (card: Card): string => isolated(nameOf(card));

const stageOf = (store: BoardStore, id: StatusId): string =>
  isolated(stageName(store.board().statuses.find((stage) => stage.id === id)));

function tellMoved(
  store: BoardStore,
  { threadId, to, isUndo = false }: Move,
  { from, card, answers }: { from: StatusId; card: Card; answers: boolean },
): void {
  const values = { name: said(card), stage: stageOf(store, to) };
  if (isUndo) {
    tellDone(boardWords.say('undone', values));
    return;
  }
  tellDone(boardWords.say(answers ? 'movedAndAnswers' : 'moved', values), {
    lastsMs: UNDO_MS,
    action: {
      label: commonWords.say('undo'),
      run: () => void moveLead(store, { threadId, to: from, from: to, isUndo: true }),
    },
  });
}

/** Somebody else was quicker: who, and whether to move it all the same. */
async function tellConflict(store: BoardStore, move: Move, error: ApiError): Promise<void> {
  const { threadId } = move;
  const found = await lastMove(threadId);
  const card = store.card(threadId)?.card;
  const name = card ? said(card) : '';
  const stage = found ? isolated(found.stage) : isolated(stageName(card?.lead_status));
  const text = found
    ? boardWords.say('conflictBy', { who: found.who, name, stage })
    : boardWords.say('conflict', { name, stage });
  const notice = tellFailed(text, {
    requestId: error.requestId,
    action: {
      label: boardWords.say('moveAnyway'),
      run: () => {
        dismiss(notice);
        void moveLead(store, { ...move, from: undefined });
      },
    },
  });
}

/** Who moved a lead last, as its history has it; null: it cannot be read now. */
async function lastMove(threadId: string): Promise<{ who: string; stage: string } | null> {
  try {
    const { entries } = await api.post('/api/v1/leads/get-history', { body: { thread_id: threadId } });
    const entry = entries.find(({ type }) => type === 'status');
    if (!entry) return null;
    return {
      who: actorName((entry.actor ?? null) as Actor | null),
      stage: stageName(entry.to as { name: string } | null),
    };
  } catch {
    return null;
  }
}

/** What happened to a card while somebody had it in hand. */
export function tellHappened(card: Card | undefined, happened: readonly Happened[]): void {
  const last = happened.at(-1);
  if (!last || !card) return;
  const name = said(card);
  if (last.kind === 'left') tellDone(boardWords.say('meanwhileLeft', { name }));
  else if (last.kind === 'erased') tellDone(boardWords.say('meanwhileErased', { name }));
  else
    tellDone(
      boardWords.say('meanwhileMoved', {
        ...{ who: actorName(last.by), name },
        stage: isolated(stageName(last.card.lead_status)),
      }),
    );
}
