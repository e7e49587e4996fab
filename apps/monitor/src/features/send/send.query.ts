import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../../shared/api/page-api';
import { readCard } from '../../shared/leads/leads.query';
import type { Sender } from './send-types';

const PAGE = 200;

/** The approved templates of a number. */
export const templatesQuery = (sender: Sender | null) =>
  queryOptions({
    queryKey: ['sendable-templates', sender?.botId, sender?.channel],
    enabled: sender !== null,
    queryFn: (): Promise<GovernedTemplateAnswer[]> =>
      wholeList(async (cursor) => {
        const query = {
          ...{ bot_id: sender?.botId, channel: sender?.channel, status: 'approved' as const },
          ...{ limit: PAGE, cursor },
        };
        const page = await api.get('/api/v1/admin/templates', { params: { query } });
        return { items: page.templates, next: page.next_cursor };
      }),
  });

/** The own account, with its quota: admins may read it. */
export const quotaQuery = (accountId: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['quota', accountId],
    enabled: isAdmin,
    staleTime: 0,
    queryFn: () => api.get('/api/v1/admin/accounts/{id}', { params: { path: { id: accountId } } }),
  });

/** Whom a dialog is with, and at which number. */
export const customerQuery = (threadId: string | undefined) =>
  queryOptions({
    queryKey: ['send-to-thread', threadId],
    enabled: threadId !== undefined,
    staleTime: Infinity,
    queryFn: () => readCard(threadId ?? ''),
  });
