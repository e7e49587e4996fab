import type { Happened } from '@app/client/board/board-views';
import type { Card } from '@app/contracts/board-events';
import { isolated } from '../../../shared/format/direction.format';
import { actorName, customerName, stageName } from '../../../shared/leads/lead-names.format';
import { tellDone } from '../../../shared/notices/notice.store';
import { boardWords } from '../board.words';

/** What happened to a card while somebody had it in hand. */
export function tellHappened(card: Card | undefined, happened: readonly Happened[]): void {
  const last = happened.at(-1);
  if (!last || !card) return;
  const name = isolated(customerName(card));
  if (last.kind === 'left') tellDone(boardWords.say('meanwhileLeft', { name }));
  else if (last.kind === 'erased') tellDone(boardWords.say('meanwhileErased'));
  else
    tellDone(
      boardWords.say('meanwhileMoved', {
        ...{ who: actorName(last.by), name },
        stage: isolated(stageName(last.card.lead_status)),
      }),
    );
}
