/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { BoardConnection, ConnectionState } from '@app/client/board/board-connection';
import { BoardStore } from '@app/client/board/board.store';
import { ThreadNews } from '@app/client/board/keyed-listeners';
import type { Card } from '@app/contracts/board-events';
import { card, openView, screen, waitFor, type Language } from '../../../testing/page-harness';
import { LiveContext, type Live } from '../../shared/live/live-context';
import { Alerts } from './alerts.view';

const ASKED = {
  attention: { reason: 'hand_over', note: null, provider_code: null, since: '2026-03-02T08:00:00.000Z' },
} as const;
const nothing = (): void => undefined;

/** What the system shows. */
let shown: FakeNotification[] = [];
let mayShow: NotificationPermission;
let asksForPermission: jest.Mock<Promise<NotificationPermission>, []>;

class FakeNotification {
  static get permission(): NotificationPermission {
    return mayShow;
  }
  static requestPermission = (): Promise<NotificationPermission> => asksForPermission();
  onclick = nothing;

  constructor(
    readonly title: string,
    readonly options: NotificationOptions,
  ) {
    shown.push(this);
  }

  close(): void {
    shown = shown.filter((each) => each !== this);
  }
}

beforeEach(() => {
  shown = [];
  mayShow = 'default';
  asksForPermission = jest.fn(() => Promise.resolve((mayShow = 'granted')));
  Object.assign(globalThis, { Notification: FakeNotification });
  window.focus = nothing;
  document.head.innerHTML = '<link rel="icon" href="http://page.test/icon.svg">';
});

let version = 1;

/** With one dialog in the list that needed a person before, as soon as it is read. */
async function open({ language = 'en', total = 1 }: { language?: Language; total?: number } = {}) {
  const news = new ThreadNews();
  const store = new BoardStore();
  const connection = {
    ...{ onEvent: news.onEvent, onGap: () => nothing, subscribeState: () => nothing, follow: nothing },
    state: (): ConnectionState => 'online',
  } as unknown as BoardConnection;
  const onOpen = jest.fn();
  openView(
    <LiveContext value={{ store, connection, refusal: {} as Live['refusal'] }}>
      <Alerts onOpen={onOpen} />
    </LiveContext>,
    {
      language,
      answers: {
        'post /api/v1/messages/get-threads': {
          ...{ not_found: [], not_found_user_ids: [], has_more: total > 1, next_cursor: null },
          totals: [{ status_id: null, total }],
          threads: [{ ...card({ thread_id: 'thread_0', ...ASKED }), url: '', last_message: null }],
        },
      },
    },
  );
  await title(/^\(\d+\)/);
  const happen = (given: Partial<Card>): void => {
    const now = card({ version: (version += 1), ...given });
    const event = { seq: version, thread_id: now.thread_id, version, at: '', request_id: null, actor: null };
    news.pass({ event: 'card.updated', ...event, card: now });
  };
  return { store, happen, onOpen };
}

const title = (expected: RegExp): Promise<void> => waitFor(() => expect(document.title).toMatch(expected));
const icon = (): string => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '';
const notifyButton = (): Promise<HTMLElement> =>
  screen.findByRole('button', { name: 'Notify me when a person is needed' });

describe('what asks for a person', () => {
  it('is counted in title and icon, until somebody opens it', async () => {
    const { store, happen } = await open();
    expect(decodeURIComponent(icon())).toContain('>1</text>');
    happen(ASKED);
    await title(/^\(2\)/);
    for (const thread_id of ['thread_0', 'thread_1'])
      store.presence({ thread_id, users: [{ id: 'dana', name: 'Дана', typing: false }] });
    await title(/^(?!\()/);
    expect(icon()).toBe('http://page.test/icon.svg');
  });

  it('is shown by the system once a button was pressed, and not before', async () => {
    const { happen, store, onOpen } = await open();
    happen({ thread_id: 'thread_2', ...ASKED });
    await title(/^\(2\)/);
    expect(asksForPermission).not.toHaveBeenCalled();
    expect(shown).toEqual([]);

    (await notifyButton()).click();
    await waitFor(() => expect(asksForPermission).toHaveBeenCalledTimes(1));
    expect((await notifyButton()).getAttribute('aria-pressed')).toBe('true');
    happen({ customer_name: 'Алия', ...ASKED });
    expect(shown.map(({ title: name, options }) => [name, options.body, options.tag])).toEqual([
      ['Алия', 'The AI asks for a person', 'thread_1'],
    ]);
    shown[0]?.onclick();
    expect(onOpen).toHaveBeenCalledWith('thread_1');
    expect(shown).toEqual([]);

    happen({ thread_id: 'thread_3', ...ASKED });
    expect(shown).toHaveLength(1);
    store.presence({ thread_id: 'thread_3', users: [{ id: 'dana', name: 'Дана', typing: false }] });
    expect(shown).toEqual([]);
    happen({ thread_id: 'thread_4', ...ASKED });
    happen({ thread_id: 'thread_4', attention: null });
    expect(shown).toEqual([]);

    (await notifyButton()).click();
    await waitFor(async () => expect((await notifyButton()).getAttribute('aria-pressed')).toBe('false'));
    happen({ thread_id: 'thread_5', ...ASKED });
    expect(shown).toEqual([]);
  });

  it('is a sound alone where the browser shows nothing, and the page says so', async () => {
    asksForPermission.mockImplementation(() => Promise.resolve((mayShow = 'denied')));
    const { happen } = await open();
    (await notifyButton()).click();
    await screen.findByText('This browser shows no notifications of this page. You will hear a sound.');
    happen(ASKED);
    await title(/^\(2\)/);
    expect(shown).toEqual([]);
  });

  it('is counted beyond the list, and says why a customer waits where nobody asked for a person', async () => {
    const { happen } = await open({ total: 450 });
    await title(/^\(450\)/);
    (await notifyButton()).click();
    await waitFor(() => expect(mayShow).toBe('granted'));
    happen({ thread_id: 'thread_6', waiting: true, waiting_reason: 'agent_due' });
    expect(shown).toEqual([]);
    happen({ thread_id: 'thread_6', waiting: true, waiting_reason: 'agent_off' });
    expect(shown.map(({ options }) => options.body)).toEqual(['The AI is off']);
  });

  it('is told in Russian', async () => {
    const { happen } = await open({ language: 'ru' });
    (await screen.findByRole('button', { name: 'Уведомлять, когда нужен человек' })).click();
    await waitFor(() => expect(mayShow).toBe('granted'));
    happen({ customer_name: 'Алия', ...ASKED });
    expect(shown[0]?.options.body).toBe('ИИ зовёт человека');
  });
});
