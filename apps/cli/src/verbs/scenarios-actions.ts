import type { RunAnswer } from '@app/client/api-types';
import { limitOf, readPages } from './leads-actions';
import type { Invocation } from './verb';

export async function listScenarios(
  { assistant }: { assistant?: string },
  { callers, output }: Invocation,
): Promise<void> {
  const api = callers.byAdminKey();
  const { items: scenarios } = await readPages(Infinity, async (page) => {
    const query = { assistant_id: assistant, ...page };
    const answer = await api.get('/api/v1/admin/scenarios', { params: { query } });
    return { items: answer.scenarios, next: answer.next_cursor };
  });
  output.answer({ scenarios }, () =>
    output.table(
      ['ID', 'NAME', 'STATE', 'STEPS', 'STAGE', 'ASSISTANT'],
      scenarios.map((each) => [
        ...[each.id, each.name, each.state, each.steps.length, each.status_id, each.assistant_id],
      ]),
    ),
  );
}

interface RunsGiven {
  thread?: string;
  state?: RunAnswer['state'];
  limit: number;
}

export async function listRuns(given: RunsGiven, { callers, output }: Invocation): Promise<void> {
  const { thread, state } = given;
  const limit = limitOf(given);
  const api = callers.byAdminKey();
  const { items: runs, cursor } = await readPages(limit, async (page) => {
    const query = { thread_id: thread, state, ...page };
    const answer = await api.get('/api/v1/admin/scenario-runs', { params: { query } });
    return { items: answer.runs, next: answer.next_cursor };
  });
  output.answer({ runs, next_cursor: cursor }, () =>
    output.table(
      ['ID', 'SCENARIO', 'STATE', 'REASON', 'STARTED', 'NEXT AT', 'THREAD'],
      runs.map((run) => [
        ...[run.id, run.scenario_name, run.state, run.reason, run.started_at, run.next_at, run.thread_id],
      ]),
    ),
  );
}
