import type { RunAnswer, ScenarioAnswer } from '@app/client/api.types';
import { UsageError } from '../cli.errors';
import type { Invocation } from './verb';

const PAGE_MAX = 200;

export async function listScenarios(
  { assistant }: { assistant?: string },
  { callers, output }: Invocation,
): Promise<void> {
  const api = callers.byAdminKey();
  const scenarios: ScenarioAnswer[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { assistant_id: assistant, limit: PAGE_MAX, ...(cursor && { cursor }) };
    const page = await api.get('/api/v1/admin/scenarios', { params: { query } });
    scenarios.push(...page.scenarios);
    cursor = page.next_cursor;
  } while (cursor);
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
  const { thread, state, limit } = given;
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1');
  const api = callers.byAdminKey();
  const runs: RunAnswer[] = [];
  let cursor: string | null | undefined;
  do {
    const query = {
      ...{ thread_id: thread, state, limit: Math.min(limit - runs.length, PAGE_MAX) },
      ...(cursor && { cursor }),
    };
    const page = await api.get('/api/v1/admin/scenario-runs', { params: { query } });
    runs.push(...page.runs);
    cursor = page.next_cursor;
  } while (cursor && runs.length < limit);
  output.answer({ runs, next_cursor: cursor ?? null }, () =>
    output.table(
      ['ID', 'SCENARIO', 'STATE', 'REASON', 'STARTED', 'NEXT AT', 'THREAD'],
      runs.map((run) => [
        ...[run.id, run.scenario_name, run.state, run.reason, run.started_at, run.next_at, run.thread_id],
      ]),
    ),
  );
}
