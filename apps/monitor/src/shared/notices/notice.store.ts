import { ApiError } from '@app/client/api.errors';
import { useSyncExternalStore } from 'react';
import { isolated } from '../format/direction.format';
import { session } from '../session/session.store';
import { explain } from '../words/error.words';

/** What has just happened, at the edge of the page. */
export interface Notice {
  id: number;
  kind: 'done' | 'failed';
  text: string;
  /** Further words, such as the provider's. */
  detail?: string;
  /** The call that failed, for those who look into it. */
  requestId?: string | null;
  action?: {
    label: string;
    run: () => void;
    /** Ctrl+Z does it, too. */
    isUndo?: boolean;
  };
}

type Given = Omit<Notice, 'id' | 'kind'> & { lastsMs?: number };

const DONE_MS = 5_000;
/** How many stand there that nobody needs to answer. */
const MOST_PASSING = 4;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** What failed, and what can be undone, is not pushed out by others: the one goes when it is closed, the other in its time. */
const isPassing = ({ kind, action }: Notice): boolean => kind === 'done' && !action;

function withoutOldest(all: readonly Notice[]): readonly Notice[] {
  const surplus = all.filter(isPassing).slice(0, -MOST_PASSING);
  return all.filter((notice) => !surplus.includes(notice));
}

function add(kind: Notice['kind'], { lastsMs, ...given }: Given): number {
  const id = ++lastId;
  set(withoutOldest([...notices, { id, kind, ...given }]));
  if (lastsMs !== undefined) setTimeout(() => dismiss(id), lastsMs);
  return id;
}

/** For what passed. It goes by itself. @returns its id, for {@link dismiss} */
export const tellDone = (text: string, further: Omit<Given, 'text'> = {}): number =>
  add('done', { lastsMs: DONE_MS, ...further, text });

/** For what failed. It stays until it is closed. */
export const tellFailed = (text: string, further: Omit<Given, 'text'> = {}): number =>
  add('failed', { ...further, text });

/** For a refused call: the reason in the words of the page, the server's own sentence, and the id to report. */
export function tellError(error: unknown, further: Omit<Given, 'text'> = {}): number {
  const text = explain(error);
  if (!(error instanceof ApiError)) return tellFailed(text, further);
  const detail = error.message === text ? undefined : isolated(error.message);
  return tellFailed(text, { detail, requestId: error.requestId, ...further });
}

export const dismiss = (id: number): void => set(notices.filter((notice) => notice.id !== id));

/** Takes back what was done last, while it can be. @returns whether there was anything */
export function undoLast(): boolean {
  const last = notices.findLast(({ action }) => action?.isUndo);
  if (!last) return false;
  dismiss(last.id);
  last.action?.run();
  return true;
}

session.subscribe(() => {
  // They name customers, and offer what only that person may do.
  if (session.state().status === 'out') set([]);
});

export const useNotices = (): readonly Notice[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
