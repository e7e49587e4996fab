import { BoardWindow } from '../../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { eventually } from '../../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';

const DEADLINE_MS = 10_000;

const scene = setMonitorScene({ stages: [{ name: 'Новая заявка' }, { name: 'В работе' }] });

const NEW = (): string => scene.stage(0);
const WORK = (): string => scene.stage(1);

let person: MonitorPerson;

beforeAll(async () => {
  person = await scene.person();
});

beforeEach(() => scene.forgetDialogs());

afterEach(() => scene.expectAllQuiet());

const openBoard = async (): Promise<BoardWindow> => {
  const board = new BoardWindow(await scene.openAs(person, scene.boardPath));
  await board.untilOnline();
  return board;
};

/** Leads of a stage, the first of the column first. */
const addLeads = async (statusId: string, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let lead = 0; lead < count; lead += 1) ids.unshift(await scene.account.addThread({ statusId }));
  // Of two that came in one millisecond, their ids would say which is first.
  await scene.database.pool.query(
    `UPDATE threads SET last_activity_at = created_at - make_interval(secs => array_position($1::text[], 'thread_' || id))
      WHERE 'thread_' || id = ANY ($1)`,
    [ids],
  );
  return ids;
};

const untilFocused = (board: BoardWindow, threadId: string | undefined): Promise<void> =>
  board.page.locator(`[role=listitem][data-thread-id="${threadId}"]:focus`).waitFor();

describe(`the keys of the board (${CHROMIUM_NEEDED})`, () => {
  inChromium('Enter opens the dialog, and R does so for an answer', async () => {
    const [first = ''] = await addLeads(NEW(), 1);
    const board = await openBoard();
    await board.card(first).focus();
    await board.page.keyboard.press('Enter');
    await board.page.waitForURL(`**/dialogs/${first}`);
    await scene.go(board.page, scene.boardPath);
    await board.card(first).focus();
    await board.page.keyboard.press('r');
    await board.page.waitForURL(`**/dialogs/${first}`);
  });

  inChromium('A switches the AI of the card, and says what holds from now on', async () => {
    const [first = ''] = await addLeads(NEW(), 1);
    const board = await openBoard();
    await board.card(first).focus();
    await board.page.keyboard.press('a');
    await board.page
      .getByRole('status')
      .getByText(/The AI is off for .* until it is switched on/)
      .waitFor();
    await board.page.locator(`[data-thread-id="${first}"][data-handler=OPERATOR]`).waitFor();
    expect((await scene.kept.thread(first)).ai_enabled).toBe(false);
    await board.page.keyboard.press('a');
    await board.page
      .getByRole('status')
      .getByText(/The AI answers .* again/)
      .waitFor();
    expect((await scene.kept.thread(first)).ai_enabled).toBe(true);
  });

  inChromium('A that is held down switches once', async () => {
    const [first = '', other = ''] = await addLeads(NEW(), 2);
    const board = await openBoard();
    await board.card(first).focus();
    const { keyboard } = board.page;
    for (let pressed = 0; pressed < 4; pressed++) {
      await keyboard.down('a');
      // By then the next one would switch it back.
      if (pressed === 0)
        await board.page.locator(`[data-thread-id="${first}"][data-handler=OPERATOR]`).waitFor();
    }
    await keyboard.up('a');
    await board.card(other).focus();
    await keyboard.press('a');
    await board.page.locator(`[data-thread-id="${other}"][data-handler=OPERATOR]`).waitFor();
    expect((await scene.kept.thread(first)).ai_enabled).toBe(false);
  });

  inChromium('A asks first where the AI would answer a message that waits', async () => {
    const threadId = await scene.account.addThread({ statusId: NEW(), aiEnabled: false, waitingMinutes: 3 });
    const board = await openBoard();
    await board.card(threadId).focus();
    await board.page.keyboard.press('a');
    await board.page.getByText('the AI will answer that message at once').waitFor();
    await board.page.getByRole('button', { name: 'Switch on' }).and(board.page.locator(':focus')).waitFor();
    expect((await scene.kept.thread(threadId)).ai_enabled).toBe(false);
    await board.page.keyboard.press('Enter');
    await eventually(
      async () => (await scene.kept.thread(threadId)).ai_enabled,
      DEADLINE_MS,
      'the AI was not switched on',
    );
    await untilFocused(board, threadId);
  });

  inChromium('can be switched off, and all is reached by Tab and Enter then', async () => {
    const [first = ''] = await addLeads(NEW(), 1);
    const board = await openBoard();
    await board.page.evaluate("localStorage.setItem('leadline.single-keys', 'off')");
    await board.page.reload();
    await board.untilOnline();
    await board.card(first).focus();
    for (const key of ['j', 'm', 'a', 'r', '/']) await board.page.keyboard.press(key);
    await board.page.keyboard.press('Tab');
    await board.page.locator('button[aria-haspopup=menu]:focus').waitFor();
    expect(await board.page.getByRole('menuitemradio').count()).toBe(0);
    expect(new URL(board.page.url()).pathname).toBe(scene.boardPath);
    expect((await scene.kept.thread(first)).ai_enabled).toBe(true);
    await board.page.keyboard.press('Enter');
    await board.page.locator('[role=menuitemradio]:focus').waitFor();
    await board.page.keyboard.press('ArrowDown');
    await board.page.keyboard.press('Enter');
    await board.cardIn(WORK(), first).waitFor();
    await untilFocused(board, first);
  });

  inChromium('count for nothing while one types', async () => {
    const [first = ''] = await addLeads(NEW(), 1);
    const board = await openBoard();
    await board.card(first).waitFor();
    await board.page.keyboard.press('Slash');
    await board.page.locator('input[type=search]:focus').waitFor();
    await board.page.keyboard.type('majr/');
    expect(await board.page.locator('input[type=search]').inputValue()).toBe('majr/');
    expect(await board.page.getByRole('menu').count()).toBe(0);
    await board.page.keyboard.press('Escape');
    await board.card(first).waitFor();
  });

  inChromium('leave the search alone while an input method composes there', async () => {
    const [first = ''] = await addLeads(NEW(), 1);
    const board = await openBoard();
    await board.card(first).waitFor();
    const search = board.page.locator('input[type=search]');
    await search.focus();
    for (const key of ['Enter', 'Escape'])
      await search.dispatchEvent('keydown', { key, keyCode: 229, isComposing: true });
    await board.page.locator('input[type=search]:focus').waitFor();
    await search.press('Enter');
    await board.page.locator('[role=listitem]:focus').waitFor();
  });

  inChromium('do nothing to the board while a window covers it, nor does Ctrl+Z', async () => {
    const [first = ''] = await addLeads(NEW(), 1);
    const board = await openBoard();
    await board.card(first).focus();
    await board.page.keyboard.press('m');
    await board.page.getByRole('menuitemradio', { name: 'В работе' }).click();
    await board.page.getByRole('button', { name: 'Undo' }).waitFor();
    await board.page.getByRole('button', { name: 'List of keys' }).click();
    await board.page.getByRole('dialog').waitFor();
    for (const key of ['Control+z', 'a', 'm']) await board.page.keyboard.press(key);
    await board.page.keyboard.press('Escape');
    await board.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await board.page.getByRole('button', { name: 'Undo' }).count()).toBe(1);
    expect(await board.page.getByRole('menu').count()).toBe(0);
  });

  inChromium(
    'go on with the cards that are there, where the one with the focus has gone off the board',
    async () => {
      const [first = '', second = ''] = await addLeads(NEW(), 2);
      for (const id of [first, second]) await scene.kept.setFacts(id, 'unread_count = 1');
      const board = new BoardWindow(await scene.openAs(person, `${scene.boardPath}?unread=true`));
      await board.untilOnline();
      await board.card(first).focus();
      const { body } = await person.session.call('leads/set-status', { thread_id: first, status_id: WORK() });
      expect(body.ok).toBe(true);
      await untilFocused(board, first);
      await scene.kept.setFacts(first, 'unread_count = 0');
      await scene.api.setStatus({ thread_id: first, status_id: NEW() });
      await board.card(first).waitFor({ state: 'detached' });
      await board.page.keyboard.press('j');
      await untilFocused(board, second);
    },
  );

  inChromium(
    'lead on to the next card, where the one whose dialog closes has gone off the board',
    async () => {
      const [first = '', second = ''] = await addLeads(NEW(), 2);
      const [third = ''] = await addLeads(WORK(), 1);
      for (const id of [first, second, third]) await scene.kept.setFacts(id, 'unread_count = 1');
      const board = new BoardWindow(await scene.openAs(person, `${scene.boardPath}?unread=true`));
      await board.untilOnline();
      await board.card(first).focus();
      for (const [read, next] of [
        [first, second],
        [second, third],
      ] as const) {
        await board.page.keyboard.press('Enter');
        await board.page.getByRole('button', { name: 'Close the dialog' }).focus();
        await scene.kept.setFacts(read, 'unread_count = 0');
        await scene.api.setStatus({ thread_id: read, status_id: WORK() });
        await board.card(read).waitFor({ state: 'detached' });
        await board.page.keyboard.press('Escape');
        await untilFocused(board, next);
      }
    },
  );
});
