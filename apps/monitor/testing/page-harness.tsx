import type { BoardConnectionOptions, ConnectionState } from '@app/client/board/board-connection';
import type { BoardChoice } from '@app/client/board/board-views';
import { ThreadNews } from '@app/client/board/keyed-listeners';
import type { BoardSnapshot } from '@app/contracts/board-events';
import type { UserAnswer } from '@app/client/api-types';
import { MantineProvider, type MantineProviderProps } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { PageApp } from '../src/app/page-app';
import { router } from '../src/app/page-router';
import { queryClient } from '../src/shared/api/page-api';
import { Notices } from '../src/shared/notices/notices.view';
import { session } from '../src/shared/session/session.store';
import { pageTheme } from '../src/shared/theme/page-theme';
import { startLanguage, type Language } from '../src/shared/words/language.store';
import { signedIn, type Answers, type Call, type Refusal } from './page-answers';

export * from './page-answers';
export type { Language };
export { screen, waitFor, within };

// The page's own connection is proven beside the client. This one hears what a test has happen.
jest.mock('@app/client/board/board-connection', () => ({
  get BoardConnection() {
    return fakeConnection;
  },
}));

// Without styles and the time that they take to change.
jest.mock('@mantine/core', () => {
  const mantine = jest.requireActual<typeof import('@mantine/core')>('@mantine/core');
  const Provider = (props: MantineProviderProps) => (
    <mantine.MantineProvider {...props} env="test" withCssVariables={false} withGlobalClasses={false} />
  );
  return { ...mantine, MantineProvider: Provider };
});

configure({
  // A page is fetched and compiled at its first test.
  asyncUtilTimeout: 30_000,
  getElementError: (message) => new Error(`${message}\nThe page says: ${document.body.textContent}`),
});
startLanguage();

/** Of an agent whose board is empty. */
const EMPTY_BOARD: BoardSnapshot = {
  seq: 1,
  statuses: [],
  columns: [{ status_id: null, total: 0, cards: [], next_cursor: null }],
};

/** Lists that pages read besides their own. */
const NOTHING_THERE: Answers = {
  'get /api/v1/admin/api-keys': { api_keys: [], next_cursor: null },
  'get /api/v1/admin/bots': { bots: [], next_cursor: null },
  'get /api/v1/admin/scenarios': { scenarios: [], next_cursor: null },
  'get /api/v1/admin/users': { users: [], next_cursor: null },
  'post /api/v1/messages/get-threads': {
    ...{ threads: [], not_found: [], not_found_user_ids: [], has_more: false, next_cursor: null },
  },
};

function fakeConnection({ store }: BoardConnectionOptions) {
  const news = new ThreadNews();
  const nothing = (): void => undefined;
  return {
    ...{
      onEvent: news.onEvent,
      onThread: news.onThread,
      onMessage: news.onMessage,
      onGap: () => nothing,
      subscribeState: () => nothing,
    },
    state: (): ConnectionState => connected,
    show({ assistantId, sort }: BoardChoice): void {
      store.expect({ assistantId, sort: sort ?? 'activity' });
      store.snapshot(EMPTY_BOARD);
    },
    ...{
      follow: nothing,
      leave: nothing,
      more: nothing,
      look: nothing,
      wake: nothing,
      renew: nothing,
      close: nothing,
    },
  };
}

interface Given {
  /** What the server answers, besides who is signed in. */
  answers?: Answers;
  /** Who is signed in; null: nobody. */
  as?: Partial<UserAnswer> | null;
  language?: Language;
  /** Of the board's connection. */
  connection?: ConnectionState;
}

let root: Root | null = null;
let connected: ConnectionState = 'online';
let answers: Answers = {};
let calls: Call[] = [];
const unanswered: string[] = [];
const complaints: string[] = [];
/** Of React's development build: how parts are fetched, and that windows, which have no place of their own here, stand in forms. */
const KNOWN =
  /called use\(\) to suspend in a previous render|^In HTML, %s cannot be a descendant of|^<%s> cannot contain a nested %s/;

/** A path of the document as an expression. */
const patterns = new Map<string, RegExp>();
const patternOf = (route: string): RegExp => {
  const known = patterns.get(route);
  if (known) return known;
  const pattern = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(route, pattern);
  return pattern;
};

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.includes('multipart')) return request.formData();
  const text = await request.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** By which the page knows the time. */
const NOW = () => ({ Date: new Date().toUTCString() });

/** Around every page it is asked which dialogs need a person: what a page asks for is seen without it. */
const isOfFrame = ({ route, body }: Call): boolean =>
  route === 'post /api/v1/messages/get-threads' && (body as { needs_person?: boolean }).needs_person === true;

/** In place of the network. */
async function answerCall(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const asked = `${request.method.toLowerCase()} ${pathname}`;
  const routes = Object.keys(answers) as (keyof Answers)[];
  const route = routes.find((each) => each === asked) ?? routes.find((each) => patternOf(each).test(asked));
  const call: Call = {
    route: route ?? asked,
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: await bodyOf(request),
  };
  if (!isOfFrame(call)) calls.push(call);
  if (route === undefined) unanswered.push(asked);
  const given: unknown =
    route === undefined ? { refused: { status: 404, code: 'NOT_FOUND' } } : answers[route];
  const data = (await (typeof given === 'function'
    ? (given as (call: Call) => unknown)(call)
    : given)) as object;
  if (data instanceof Response) return data;
  if (data === null || !('refused' in data)) return Response.json({ ok: true, data }, { headers: NOW() });
  const { code, status = 422, message = code, details, retryAfter } = (data as Refusal).refused;
  if (code === 'NETWORK') throw new TypeError('Failed to fetch');
  return Response.json(
    { ok: false, error: { code, message, status, request_id: 'request-1', details } },
    {
      status,
      headers: { ...NOW(), ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }) },
    },
  );
}

function begin({ as = {}, language = 'en', connection = 'online', ...given }: Given) {
  connected = connection;
  answers = { ...NOTHING_THERE, ...given.answers };
  if (as !== null) {
    answers['get /api/v1/auth/me'] ??= signedIn(as);
    session.begin(signedIn(as));
  }
  void i18next.changeLanguage(language);
  root = createRoot(document.body.appendChild(document.createElement('div')));
  return { user, calls, root, answer: (further: Answers) => Object.assign(answers, further) };
}

/** Opens the page at an address. What is said and pressed is found by `screen`. */
export function openPage(path: string, given: Given = {}) {
  const { root, ...opened } = begin(given);
  history.pushState(null, '', path);
  router.startTransition = startTransition;
  // By the address, before anything is drawn: the router knows the page of the test before.
  void router.load().then(() => root.render(<PageApp />));
  return opened;
}

/** Shows one part of the page by itself, below what is around the page. */
export function openView(view: ReactNode, given: Given = {}): void {
  begin(given).root.render(
    <MantineProvider theme={pageTheme}>
      <QueryClientProvider client={queryClient}>
        {view}
        <Notices />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/** As it is before a page is drawn: the one of a page that was drawn waits until it is drawn again. */
const { startTransition } = router;

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

/** Types into a field in one go. */
export function fill(field: HTMLElement, text: string): void {
  field.focus();
  fireEvent.change(field, { target: { value: text } });
}

/** Bodies of the calls of a method so far. */
export const bodiesOf = (method: string): unknown[] =>
  calls.filter(({ route }) => route.startsWith(`${method} `)).map(({ body }) => body);

beforeAll(() => {
  globalThis.fetch = (input) => answerCall(input as Request);
  for (const level of ['error', 'warn'] as const)
    jest.spyOn(console, level).mockImplementation((...words) => {
      const complaint = words.map(String).join(' ');
      if (!KNOWN.test(complaint)) complaints.push(complaint);
    });
});

afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
  queryClient.clear();
  session.clear();
  localStorage.clear();
  calls = [];
  const wrong = [...complaints.splice(0), ...unanswered.splice(0).map((call) => `not answered: ${call}`)];
  expect(wrong).toEqual([]);
});
