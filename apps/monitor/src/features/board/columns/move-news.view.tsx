import type { ForeignMove } from '@app/client/board/board-views';
import { useEffect, useState } from 'react';
import { useLive } from '../../../shared/live/live-context';
import { boardWords } from '../board.words';
import { isolated } from '../../../shared/format/direction.format';
import { actorName, customerName, stageName } from '../../../shared/leads/lead-names.format';

/** Screen readers get one sentence in this time at most, whatever happens. */
const PAUSE_MS = 5_000;

/** Tells screen readers politely what others have moved. Nothing else on the page tells of it. */
export function MoveNews() {
  const { store } = useLive();
  const [sentence, setSentence] = useState('');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tell = (): void => {
      const moves = store.takeForeignMoves();
      if (moves.length === 0) {
        // What was said is over: the customer that it names may be erased.
        setSentence('');
        return;
      }
      setSentence(sentenceOf(moves));
      timer = setTimeout(() => {
        timer = null;
        tell();
      }, PAUSE_MS);
    };
    const stop = store.subscribeMoves(() => timer === null && tell());
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [store]);
  return (
    <div className="ll-hidden" aria-live="polite" data-news="moves">
      {sentence}
    </div>
  );
}

function sentenceOf(moves: readonly ForeignMove[]): string {
  const [move] = moves;
  const count = new Set(moves.map(({ threadId }) => threadId)).size;
  if (count > 1 || !move) return boardWords.say('leadsMoved', { count });
  const { by, card } = moves.at(-1) ?? move;
  return boardWords.say('someoneMoved', {
    ...{ who: actorName(by), name: isolated(customerName(card)) },
    stage: isolated(stageName(card.lead_status)),
  });
}
