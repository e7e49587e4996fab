import type { ImportAnswer } from '@app/client/api.types';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/page.api';

const EVERY_MS = 1_000;

/** How far an import is; once it has ended, with its faults. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['import', importId],
    queryFn: async ({ signal }): Promise<ImportAnswer> => {
      const ask = (faults_limit?: number) =>
        api.post('/api/v1/leads/get-import', { body: { import_id: importId, faults_limit }, signal });
      const progress = await ask(0);
      return progress.state !== 'running' && progress.faulty > 0 ? ask() : progress;
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? EVERY_MS : false),
  });
