import type { StageSettingsAnswer } from '@app/client/api-types';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { tellError } from '../../../shared/notices/notice.store';
import { stagesQuery } from '../parts/funnel.query';
import { moved, positionsFor } from '../parts/lists/list-order.format';
import { settingsWords } from '../settings.words';

/** Moves stages within their funnel: at once on the page, then on the server, one after the other. */
export function useStageOrder(assistantId: string): {
  move: (from: number, to: number) => void;
  /** What a screen reader hears of the last move. */
  said: string;
} {
  const queries = useQueryClient();
  const query = stagesQuery(assistantId);
  const [said, setSaid] = useState('');
  const line = useRef<Promise<void>>(Promise.resolve());
  const waiting = useRef(0);

  const save = async (positions: { id: string; order: number }[]): Promise<void> => {
    try {
      for (const { id, order } of positions)
        await api.patch('/api/v1/admin/statuses/{id}', { params: { path: { id } }, body: { order } });
    } catch (error) {
      tellError(error);
    }
    waiting.current -= 1;
    // Not between two moves, whose second is on the page already.
    if (waiting.current === 0) await queries.invalidateQueries(query);
  };

  const move = (from: number, to: number): void => {
    const stages = queries.getQueryData(query.queryKey);
    const stage = stages?.[from];
    if (!stages || !stage || to < 0 || to >= stages.length) return;
    void queries.cancelQueries(query);
    const sequence = moved(stages, from, to);
    const positions = positionsFor(sequence, to);
    const orders = new Map(positions.map(({ id, order }) => [id, order]));
    const placed = (each: StageSettingsAnswer) => ({ ...each, order: orders.get(each.id) ?? each.order });
    queries.setQueryData(query.queryKey, sequence.map(placed));
    setSaid(settingsWords.say('movedTo', { name: stage.name, place: to + 1, count: stages.length }));
    waiting.current += 1;
    line.current = line.current.then(() => save(positions));
  };
  return { move, said };
}
