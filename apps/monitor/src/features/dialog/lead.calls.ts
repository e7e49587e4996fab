import { ApiError } from '@app/client/api.error';
import type { BoardStore } from '@app/client/board.store';
import { newRequestId } from '@app/client/request-id.format';
import type { Card } from '@app/contracts/board.events';
import type { FunnelStage } from '@app/contracts/lead.words';
import { api } from '../../shared/api/page.api';
import { dismiss, tellDone, tellError, tellFailed } from '../../shared/notices/notice.store';
import { commonWords } from '../../shared/words/common.words';
import { headWords } from './head.words';
import { customerName, isolated, whoDid } from './person.format';

const UNDO_MS = 10_000;
const t = headWords.say;

export interface StageMove {
  card: Card;
  to: string | null;
  stages: readonly FunnelStage[];
  answersWaiting?: boolean;
  /** Wherever it stands by now. */
  isForced?: boolean;
  isUndo?: boolean;
}

/** Moves a lead: at once on the board beside, and for certain when the service has answered. It can be undone for 10 s. */
export async function moveLead(board: BoardStore, move: StageMove): Promise<void> {
  const { card, to, answersWaiting = false, isForced = false, isUndo = false } = move;
  const requestId = newRequestId();
  const from = card.lead_status?.id ?? null;
  board.begin({ threadId: card.thread_id, to, requestId });
  try {
    const answer = await api.post('/api/v1/leads/set-status', {
      body: {
        ...{ thread_id: card.thread_id, status_id: to },
        ...(isForced ? {} : { expected_status_id: from }),
        ...(answersWaiting ? { answer_pending_message: true } : {}),
        ...(isUndo ? { skip_scenarios: true } : {}),
      },
      requestId,
    });
    board.answered(requestId, answer);
    tellMoved(board, move, answer.answered_pending_message);
  } catch (error) {
    board.refuse(requestId);
    if (error instanceof ApiError && error.code === 'STATUS_CONFLICT') await tellConflict(board, move, error);
    else tellError(error);
  }
}

const stageName = (stages: readonly FunnelStage[], id: string | null): string =>
  isolated(stages.find((stage) => stage.id === id)?.name ?? t('noStage'));

function tellMoved(board: BoardStore, move: StageMove, answers: boolean): void {
  const { card, to, stages, isUndo = false } = move;
  // By then another dialog may be open.
  const values = { name: isolated(customerName(card)), stage: stageName(stages, to) };
  if (isUndo) {
    tellDone(t('undone', values));
    return;
  }
  const there = { ...card, lead_status: stages.find(({ id }) => id === to) ?? null };
  const back = { card: there, to: card.lead_status?.id ?? null, stages, isUndo: true };
  tellDone(t(answers ? 'movedAndAnswers' : 'moved', values), {
    lastsMs: UNDO_MS,
    action: { label: commonWords.say('undo'), run: () => void moveLead(board, back) },
  });
}

/** Somebody else was quicker: who, and whether to move it all the same. */
async function tellConflict(board: BoardStore, move: StageMove, error: ApiError): Promise<void> {
  const notice = tellFailed(await conflictOf(move.card.thread_id), {
    requestId: error.requestId,
    action: {
      label: t('moveAnyway'),
      run: () => {
        dismiss(notice);
        void moveLead(board, { ...move, isForced: true });
      },
    },
  });
}

async function conflictOf(threadId: string): Promise<string> {
  try {
    const { entries } = await api.post('/api/v1/leads/get-history', {
      body: { thread_id: threadId, limit: 50 },
    });
    const last = entries.find(({ type }) => type === 'status');
    const to = last && typeof last.to === 'object' ? last.to : null;
    const stage = isolated(to?.name ?? t('noStage'));
    const name = last ? whoDid(last) : null;
    return name === null ? t('movedElsewhereUnknown', { stage }) : t('movedElsewhere', { name, stage });
  } catch {
    return commonWords.say('failed');
  }
}
