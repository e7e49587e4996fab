import type { Api } from '@app/client/api-client';
import type { StageAnswer } from '@app/client/api-types';
import { retry } from '@app/client/call-retry';
import { foldStatusName } from '@app/contracts/stage.words';
import { isUuid } from '@app/contracts/uuid.format';
import { UsageError, RefusedError } from '../cli.errors';
import type { Invocation } from './verb';

const PAGE_MAX = 200;

/** Which page is asked for. */
interface Page {
  limit: number;
  cursor?: string;
}

/** What an operation answers of one; without `next` it is the last. */
interface PageRead<Item> {
  items: readonly Item[];
  next: string | null;
}

/** How many were asked for. @throws UsageError */
export function limitOf({ limit }: { limit: number }): number {
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1');
  return limit;
}

/**
 * Reads page after page, until there are as many as `limit` or no more. Where the key's calls are used up, or the service
 * is away for a moment, it waits: what was read already is not thrown away. The first page fails at once, as other calls do.
 * @returns cursor: of what follows; null: nothing does
 * @throws ApiError
 */
export async function readPages<Item>(
  limit: number,
  read: (page: Page) => Promise<PageRead<Item>>,
): Promise<{ items: Item[]; cursor: string | null }> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = {
      limit: Math.min(limit - items.length, PAGE_MAX),
      ...(cursor !== null && { cursor }),
    };
    const found: PageRead<Item> = await (cursor === null ? read(page) : retry(() => read(page)));
    items.push(...found.items);
    cursor = found.next;
  } while (cursor !== null && items.length < limit);
  return { items, cursor };
}

/** As a stage: none. */
const NONE = 'none';

const idOrNone = (word: string): string | null => (word === NONE ? null : word);

/** The agent's stages; without one, those of the only agent of the key. */
export const stagesOf = (api: Api, assistant?: string) =>
  api.post('/api/v1/leads/get-statuses', { body: { assistant_id: assistant } });

export async function listStages(
  given: { assistant?: string },
  { callers, output }: Invocation,
): Promise<void> {
  const data = await stagesOf(callers.byKey(), given.assistant);
  output.answer(data, () =>
    output.table(
      ['ORDER', 'NAME', 'KIND', 'AGENT ANSWERS', 'AGENT MAY MOVE', 'ID'],
      data.statuses.map((stage) => [
        ...[stage.order, stage.name, stage.kind, stage.ai_enabled, !stage.ai_transition_locked, stage.id],
      ]),
    ),
  );
}

/** The id of a stage by its name. @throws RefusedError: none has it, or several do */
async function stageNamed(api: Api, name: string, assistant?: string): Promise<string> {
  const { statuses } = await stagesOf(api, assistant);
  const found = statuses.filter((stage: StageAnswer) => foldStatusName(stage.name) === foldStatusName(name));
  const [only, ...others] = found;
  if (!only) throw new RefusedError(`No stage is named ${name}: leadline stages lists them`);
  if (others.length > 0)
    throw new RefusedError(
      `${found.length} stages are named ${name}: give one of ${found.map(({ id }) => id).join(', ')}`,
    );
  return only.id;
}

interface LeadsGiven {
  assistant?: string;
  status?: string;
  limit: number;
}

export async function listLeads(given: LeadsGiven, { callers, output }: Invocation): Promise<void> {
  const { assistant, status } = given;
  const limit = limitOf(given);
  const api = callers.byKey();
  const status_id =
    status === undefined || status === NONE || isUuid(status)
      ? status && idOrNone(status)
      : await stageNamed(api, status, assistant);
  const body = { assistant_id: assistant, status_id, sort: 'activity' as const };
  const { items: threads, cursor } = await readPages(limit, async (page) => {
    const answer = await api.post('/api/v1/messages/get-threads', { body: { ...body, ...page } });
    return { items: answer.threads, next: answer.has_more ? answer.next_cursor : null };
  });
  output.answer({ threads, has_more: cursor !== null, next_cursor: cursor }, () => {
    output.table(
      ['THREAD', 'PHONE', 'NAME', 'STAGE', 'HANDLER', 'WAITS SINCE', 'LAST MESSAGE'],
      threads.map((thread) => [
        ...[thread.thread_id, thread.phone, thread.customer_name, thread.lead_status?.name],
        ...[thread.message_handler, thread.waiting_since, thread.last_message?.text],
      ]),
    );
    if (cursor !== null) output.note(`There are more: --limit ${limit * 2}`);
  });
}

export async function showLead(
  { thread }: { thread: string },
  { callers, output }: Invocation,
): Promise<void> {
  const data = await callers.byKey().post('/api/v1/leads/get-lead', { body: { thread_id: thread } });
  output.answer(data, () =>
    output.facts([
      ['thread', data.thread_id],
      ['phone', data.phone],
      ['channel', data.channel],
      ['stage', data.status?.name],
      ['stage id', data.status?.id],
      ['stage kind', data.status?.kind],
      ['set at', data.status_set_at],
      ['set by', data.status_set_by],
      ['handler', data.message_handler],
      ['assistant', data.assistant_id],
    ]),
  );
}

interface MoveGiven {
  thread: string;
  stage: string;
  answer?: boolean;
  expect?: string;
}

/** Of the agent that conducts the dialog: an id, or null for none. */
async function stageIn(api: Api, thread_id: string, stage: string): Promise<string | null> {
  if (stage === NONE || isUuid(stage)) return idOrNone(stage);
  const { assistant_id } = await api.post('/api/v1/leads/get-lead', { body: { thread_id } });
  return stageNamed(api, stage, assistant_id);
}

export async function setStatus(given: MoveGiven, { callers, output }: Invocation): Promise<void> {
  const { thread, stage, answer, expect } = given;
  const api = callers.byKey();
  const body = {
    thread_id: thread,
    ...(stage === NONE || isUuid(stage) ? { status_id: idOrNone(stage) } : { status_name: stage }),
    ...(answer && { answer_pending_message: true }),
    ...(expect !== undefined && { expected_status_id: await stageIn(api, thread, expect) }),
  };
  const data = await api.post('/api/v1/leads/set-status', { body });
  output.answer(data, () => {
    const place = data.status ? `at ${data.status.name}` : 'at no stage';
    output.line(data.changed ? `Moved: it is ${place}` : `Unchanged: it was ${place} already`);
    if (data.answered_pending_message) output.line('The agent answers what waits');
  });
}

export async function switchAi(
  given: { switch: 'on' | 'off'; thread: string },
  { callers, output }: Invocation,
): Promise<void> {
  const body = { thread_id: given.thread, ai_enabled: given.switch === 'on' };
  const data = await callers.byKey().post('/api/v1/leads/set-ai', { body });
  output.answer(data, () =>
    output.line(`${data.changed ? 'Switched' : 'Unchanged'}: the agent is ${given.switch} in this dialog`),
  );
}
