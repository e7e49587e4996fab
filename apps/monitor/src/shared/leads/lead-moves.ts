import { ApiError } from '@app/client/api.errors';
import type { BoardStore } from '@app/client/board/board.store';
import type { StatusId } from '@app/client/board/board-views';
import { newRequestId } from '@app/client/api-calls';
import type { Card } from '@app/contracts/board-events';
import type { FunnelStage } from '@app/contracts/lead.words';
import { api } from '../api/page-api';
import { dismiss, tellDone, tellError, tellFailed } from '../notices/notice.store';
import { commonWords } from '../words/common.words';
import { explain } from '../words/error.words';
import { isolated } from '../format/direction.format';
import { actorName, customerName, stageName } from './lead-names.format';
import { leadWords } from './lead.words';

const UNDO_MS = 10_000;

/** A lead that a person moves to another stage. */
export interface Move {
  threadId: string;
  to: StatusId;
  /** The column from which it was taken; undefined: wherever it stands. */
  from?: StatusId;
  answersWaiting?: boolean;
  /** It takes a move back. */
  isUndo?: boolean;
  /** Of a lead that the board may not know, as a dialog has read it. */
  card?: Card;
  /** Of a funnel that is not the board's. */
  stages?: readonly FunnelStage[];
}

/** Moves of one lead go out one after the other: the next one expects what the one before has done. */
const underWay = new Map<string, Promise<unknown>>();

/** Shows a move at once, and makes it: it is confirmed, or taken back with the reason. */
export function moveLead(store: BoardStore, move: Move): Promise<void> {
  const { threadId } = move;
  const requestId = newRequestId();
  const card = cardOf(store, move);
  const from = move.from === undefined ? (card?.lead_status?.id ?? null) : move.from;
  store.begin({ threadId, to: move.to, requestId });
  const before = underWay.get(threadId) ?? Promise.resolve();
  const made = before.then(() => make(store, move, { requestId, from, card }));
  underWay.set(threadId, made);
  return made.finally(() => {
    if (underWay.get(threadId) === made) underWay.delete(threadId);
  });
}

/** The board knows it newer than the dialog may have read it. */
const cardOf = (store: BoardStore, { threadId, card }: Move): Card | undefined =>
  store.card(threadId)?.card ?? card;

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
    else tellError(error, card ? { detail: leadWords.say('notMoved', { name: said(card) }) } : {});
  }
}

const said = (card: Card): string => isolated(customerName(card));

const stageOf = (stages: readonly FunnelStage[], id: StatusId): string =>
  isolated(stageName(stages.find((stage) => stage.id === id)));

function tellMoved(
  store: BoardStore,
  move: Move,
  { from, card, answers }: { from: StatusId; card: Card; answers: boolean },
): void {
  const { threadId, to, isUndo = false, stages = store.board().statuses } = move;
  if (to !== from) withdrawals.get(threadId)?.();
  const values = { name: said(card), stage: stageOf(stages, to) };
  if (isUndo) {
    tellDone(leadWords.say('undone', values));
    return;
  }
  if (to === from) {
    tellDone(leadWords.say(answers ? 'answers' : 'answersNot', values));
    return;
  }
  const notice = tellDone(leadWords.say(answers ? 'movedAndAnswers' : 'moved', values), {
    lastsMs: UNDO_MS,
    action: {
      label: commonWords.say('undo'),
      isUndo: true,
      run: () => void moveLead(store, { ...move, to: from, from: to, answersWaiting: false, isUndo: true }),
    },
  });
  withdrawLater(store, move, notice);
}

/** What takes back the undo of the last move of each lead. */
const withdrawals = new Map<string, () => void>();

/** A move is told, and can be taken back, while it is the last one of its lead. */
function withdrawLater(store: BoardStore, { threadId, to }: Move, notice: number): void {
  const withdraw = (): void => {
    clearTimeout(timer);
    stop();
    if (withdrawals.get(threadId) === withdraw) withdrawals.delete(threadId);
    dismiss(notice);
  };
  const look = (): void => {
    const view = store.card(threadId);
    // One's own next move is told in its place, as soon as it is made.
    if (view && !view.pending && (view.card.lead_status?.id ?? null) !== to) withdraw();
  };
  const stop = store.subscribeCard(threadId, look);
  const timer = setTimeout(withdraw, UNDO_MS);
  withdrawals.set(threadId, withdraw);
}

/** Somebody else was quicker: who, and whether to move it all the same. */
async function tellConflict(store: BoardStore, move: Move, error: ApiError): Promise<void> {
  const { threadId } = move;
  const found = await lastMove(threadId);
  const known = store.card(threadId)?.card;
  const card = known ?? move.card;
  const name = card ? said(card) : '';
  // What a dialog has read of the stage is no longer true.
  const text = found
    ? leadWords.say('conflictBy', { who: found.who, name, stage: isolated(found.stage) })
    : known
      ? leadWords.say('conflict', { name, stage: isolated(stageName(known.lead_status)) })
      : explain(error);
  const notice = tellFailed(text, {
    requestId: error.requestId,
    action: {
      label: leadWords.say('moveAnyway'),
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
    const { entries } = await api.post('/api/v1/leads/get-history', {
      body: { thread_id: threadId, limit: 50 },
    });
    const entry = entries.find(({ type }) => type === 'status');
    if (!entry) return null;
    const to = typeof entry.to === 'object' ? entry.to : null;
    return { who: actorName(entry.actor ?? null), stage: stageName(to) };
  } catch {
    return null;
  }
}
