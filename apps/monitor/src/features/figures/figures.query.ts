import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/page-api';
import type { FigureSpan } from './figure-span.rules';

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
