import type { Card } from '@app/contracts/board-events';
import { Suspense, useCallback, useState, type ReactNode } from 'react';
import { api } from '../../../shared/api/page-api';
import { useLive } from '../../../shared/live/live-context';
import { tellDone, tellError } from '../../../shared/notices/notice.store';
import { boardWords } from '../board.words';
import { cardFocus } from './card-focus';
import { isolated } from '../../../shared/format/direction.format';
import { customerName } from '../../../shared/leads/lead-names.format';
import { lazyPart } from '../../../shared/parts/lazy-part';

const AiQuestion = lazyPart(() => import('./ai-question.view').then((loaded) => loaded.AiQuestion), {
  isWindow: true,
});

/** The switch of one lead's AI, by the key A. Where switching on answers a message, it says so first. */
export function useAiSwitch(): { onSwitch: (threadId: string) => void; question: ReactNode } {
  const { store } = useLive();
  const [asked, setAsked] = useState<Card | null>(null);
  const onSwitch = useCallback(
    (threadId: string): void => {
      const card = store.card(threadId)?.card;
      if (!card) return;
      if (!card.ai_enabled && card.waiting) setAsked(card);
      else void switchAi(card, !card.ai_enabled);
    },
    [store],
  );
  const close = (): void => {
    if (asked) cardFocus.want(asked.thread_id);
    setAsked(null);
  };
  const question = asked && (
    <Suspense>
      <AiQuestion
        card={asked}
        onAnswer={(isSure) => {
          if (isSure) void switchAi(asked, true);
          close();
        }}
      />
    </Suspense>
  );
  return { onSwitch, question };
}

async function switchAi(card: Card, isOn: boolean): Promise<void> {
  const name = isolated(customerName(card));
  try {
    const answer = await api.post('/api/v1/leads/set-ai', {
      body: { thread_id: card.thread_id, ai_enabled: isOn },
    });
    if (!isOn) tellDone(boardWords.say('aiNowOff', { name }));
    else if (answer.answered_pending_message) tellDone(boardWords.say('aiNowAnswers', { name }));
    else tellDone(boardWords.say('aiNowOn', { name }));
  } catch (error) {
    tellError(error);
  }
}
