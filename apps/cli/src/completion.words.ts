import type { Api } from '@app/client/api-client';
import { OPERATIONS } from '@app/client/operation-table';
import type { CliEnvironment } from './cli-environment';
import { ServiceCallers } from './service-callers';

/** Whoever pressed Tab waits no longer. */
const DEADLINE_MS = 1_500;
const THREADS_MAX = 200;

type Finder = (api: Api, signal: AbortSignal, words: readonly string[]) => Promise<string[]>;

const unique = (words: readonly (string | null | undefined)[]): string[] => [
  ...new Set(words.filter((word) => word !== null && word !== undefined)),
];

const optionIn = (words: readonly string[], name: string): string | undefined => {
  const at = words.indexOf(name);
  return at < 0 ? undefined : words[at + 1];
};

const stages: Finder = async (api, signal, words) => {
  const body = { assistant_id: optionIn(words, '--assistant') };
  const { statuses } = await api.post('/api/v1/leads/get-statuses', { body, signal });
  return unique([...statuses.map(({ name }) => name), 'none']);
};

/** A key does not tell its agents: they are those of its newest dialogs. */
const assistants: Finder = async (api, signal) => {
  const body = { limit: THREADS_MAX, sort: 'activity' as const };
  const { threads } = await api.post('/api/v1/messages/get-threads', { body, signal });
  return unique(threads.map(({ assistant_id }) => assistant_id));
};

const bots: Finder = async (api, signal) => {
  const body = { limit: THREADS_MAX, sort: 'activity' as const };
  const { threads } = await api.post('/api/v1/messages/get-threads', { body, signal });
  return unique(threads.map(({ bot_id }) => bot_id));
};

/** What stands at the place of the cursor, if the service knows it. */
function finderFor(words: readonly string[]): Finder | null {
  const before = words.at(-2);
  if (before === '--status') return stages;
  if (before === '--assistant') return assistants;
  if (before === '--bot') return bots;
  return words[0] === 'set-status' && words.length === 3 ? stages : null;
}

/**
 * What the service has for the word that is being typed; null: nothing, then verbs and options are offered.
 * @param words behind `leadline`, the last of them begun or empty
 */
export async function wordsOfService(
  words: readonly string[],
  environment: CliEnvironment,
): Promise<string[] | null> {
  if (words[0] === 'call' && words.length === 2)
    return OPERATIONS.map(({ id }) => id).filter((id) => id.startsWith(words[1] ?? ''));
  const find = finderFor(words);
  if (!find || !environment.has('LEADLINE_API_KEY')) return null;
  try {
    const found = await find(
      new ServiceCallers(environment).byKey(),
      AbortSignal.timeout(DEADLINE_MS),
      words,
    );
    const begun = (words.at(-1) ?? '').toLowerCase();
    return found.filter((word) => word.toLowerCase().startsWith(begun));
  } catch {
    // No answer is no reason to disturb who is typing.
    return [];
  }
}
