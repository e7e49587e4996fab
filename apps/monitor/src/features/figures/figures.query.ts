import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/page-api';
import { dayKey } from '../../shared/format/time.format';
import type { FiguresSearch } from './figures-search';

const DAYS_MOST = 400;
const DAYS_USUAL = '30';

/** From the first moment of one local day to the last of another. */
export interface FigureSpan {
  /** Local dates, as inputs have them. */
  firstDay: string;
  lastDay: string;
  /** ISO times; `to` is not part of the span. */
  from: string;
  to: string;
  timezone: string;
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00`);

function later(day: string, days: number): string {
  const date = midnight(day);
  date.setDate(date.getDate() + days);
  return dayKey(date);
}

/** The span that an address asks for. Null: it ends before it begins, or is too long. */
export function figureSpan(search: FiguresSearch, now: Date): FigureSpan | null {
  const today = dayKey(now);
  const lastDay = search.to ?? today;
  const firstDay = search.from ?? later(lastDay, 1 - Number(search.span ?? DAYS_USUAL));
  if (firstDay > lastDay || later(firstDay, DAYS_MOST - 1) < lastDay) return null;
  return {
    firstDay,
    lastDay,
    from: midnight(firstDay).toISOString(),
    to: midnight(later(lastDay, 1)).toISOString(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

export const useFunnelFigures = (assistantId: string | undefined, span: FigureSpan | null) =>
  useQuery({
    queryKey: ['figures', 'funnel', assistantId, span],
    queryFn: () => {
      const { from, to, timezone } = span as FigureSpan;
      const body = { assistant_id: assistantId ?? '', from, to, timezone };
      return api.post('/api/v1/leads/get-funnel-figures', { body });
    },
    enabled: assistantId !== undefined && span !== null,
    placeholderData: (former) => former,
  });

export const useTemplateFigures = (botId: string | undefined, span: FigureSpan | null) =>
  useQuery({
    queryKey: ['figures', 'templates', botId, span],
    queryFn: () => {
      const { from, to } = span as FigureSpan;
      return api.post('/api/v1/messages/get-template-figures', { body: { bot_id: botId ?? '', from, to } });
    },
    enabled: botId !== undefined && span !== null,
    placeholderData: (former) => former,
  });

/** The numbers of an agent. */
export const useBots = (assistantId: string | undefined) =>
  useQuery({
    queryKey: ['bots', 'of', assistantId],
    queryFn: async () => {
      const { bots } = await api.get('/api/v1/admin/bots', { params: { query: { limit: 100 } } });
      return bots.filter(({ assistant_id }) => assistant_id === assistantId);
    },
    enabled: assistantId !== undefined,
    staleTime: 60_000,
  });
