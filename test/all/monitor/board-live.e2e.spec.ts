import { BoardClient } from '../../support/clients/board.client';
import { BoardWindow } from '../../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { DialogWriter } from '../../support/database/dialog.writer';
import { eventually } from '../../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';

const scene = setMonitorScene({
  stages: [{ name: 'Новая заявка' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }],
});

const NEW = (): string => scene.stage(0);
const WORK = (): string => scene.stage(1);
const PAID = (): string => scene.stage(2);

let person: MonitorPerson;
let colleague: MonitorPerson;

beforeAll(async () => {
  person = await scene.person({ name: 'Айгерим' });
  colleague = await scene.person({ name: 'Алия' });
});

beforeEach(async () => {
  await scene.forgetDialogs();
});

const openBoard = async (given = person, options = {}): Promise<BoardWindow> => {
  const board = new BoardWindow(await scene.openAs(given, scene.boardPath, options));
  await board.untilOnline();
  return board;
};

const moveBy = async (by: MonitorPerson, threadId: string, statusId: string | null): Promise<void> => {
  const { body, text } = await by.session.call('leads/set-status', {
    thread_id: threadId,
    status_id: statusId,
  });
  if (!body.ok) throw new Error(text);
};

/** Where the pointer is in no column. */
const pointAway = (board: BoardWindow): Promise<void> => board.page.mouse.move(700, 20);

describe(`the live board (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows what one person moves to another, and in a second tab of the same person', async () => {
    const threadId = await scene.addLead('Данияр');
    const board = await openBoard(person);
    const beside = new BoardWindow(await scene.openBeside(board.page));
    await scene.go(beside.page, scene.boardPath);
    const other = await openBoard(colleague);
    await beside.untilOnline();
    await board.drag(threadId, WORK());
    for (const each of [beside, other]) {
      await each.cardIn(WORK(), threadId).waitFor();
      await each.card(threadId).getByText('moved by Айгерим').waitFor();
    }
    expect(await board.card(threadId).getByText('moved by').count()).toBe(0);
    scene.expectAllQuiet();
  });

  inChromium('shows a new dialog, what is said in it, and that it waits', async () => {
    const board = await openBoard();
    await pointAway(board);
    const writer = new DialogWriter(scene.database.pool, scene.account, { notifies: true });
    const threadId = await writer.open('+77025550101');
    await board.cardIn(null, threadId).getByText('+7 702 555 01 01').waitFor();
    await writer.say(threadId, 'USER', 'Есть доставка?');
    await board.card(threadId).getByText('Есть доставка?').waitFor();
    await board.page.locator(`[data-thread-id="${threadId}"][data-unread="1"]`).waitFor();
    scene.expectAllQuiet();
  });

  inChromium(
    'glides the move of another over to its column, and no move where motion is reduced',
    async () => {
      const watch = `
      window.flights = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if (/flight/.test(node.className)) window.flights += 1;
      }).observe(document.body, { childList: true });
    `;
      const threadId = await scene.addLead('Данияр');
      const board = await openBoard(person);
      const still = await openBoard(person, { reducedMotion: 'reduce' });
      for (const each of [board, still]) await each.page.evaluate(watch);
      await moveBy(colleague, threadId, PAID());
      for (const each of [board, still]) await each.cardIn(PAID(), threadId).waitFor();
      expect(await board.page.evaluate('window.flights')).toBe(1);
      expect(await still.page.evaluate('window.flights')).toBe(0);
      await board.page.locator('[class*=flight]').waitFor({ state: 'detached' });
      scene.expectAllQuiet();
    },
  );

  inChromium('draws no card anew that nothing happened to', async () => {
    const still = await scene.addLead('Руслан', WORK());
    const moved = await scene.addLead('Данияр');
    const board = await openBoard();
    await pointAway(board);
    await board.card(still).waitFor();
    await board.page.evaluate(`
      window.drawn = 0;
      const card = document.querySelector('[role=listitem][data-thread-id="${still}"] > *');
      new MutationObserver((changes) => (window.drawn += changes.length))
        .observe(card, { subtree: true, childList: true, attributes: true, characterData: true });
    `);
    for (let turn = 0; turn < 10; turn += 1) await moveBy(colleague, moved, turn % 2 === 0 ? WORK() : PAID());
    // It comes after all of the moves.
    await scene.api.setName(moved, 'Данияр Б.');
    await board.cardIn(PAID(), moved).getByText('Данияр Б.').waitFor();
    expect(await board.page.evaluate('window.drawn')).toBe(0);
    await scene.api.setName(still, 'Руслан Б.');
    await board.card(still).getByText('Руслан Б.').waitFor();
    expect(await board.page.evaluate('window.drawn > 0')).toBe(true);
    scene.expectAllQuiet();
  });

  inChromium('sorts a column again when the pointer has left it', async () => {
    const first = await scene.addLead('Первый', WORK());
    const board = await openBoard();
    await board.card(first).hover();
    const other = await scene.addLead('А', PAID());
    await moveBy(colleague, other, WORK());
    await board.page.getByRole('button', { name: '1 changed' }).waitFor();
    await pointAway(board);
    await board.page.locator(`[data-thread-id="${other}"][aria-posinset="1"]`).waitFor();
    scene.expectAllQuiet();
  });

  inChromium('sorts a column again when the focus has left it with the card that had it', async () => {
    const moved = await scene.addLead('Первый');
    const board = await openBoard();
    await board.card(moved).focus();
    await moveBy(colleague, moved, WORK());
    await board.cardIn(WORK(), moved).waitFor();
    await board.page.getByRole('searchbox').focus();
    const other = await scene.addLead('А', PAID());
    await moveBy(colleague, other, NEW());
    await board.cardIn(NEW(), other).waitFor();
    expect(await board.page.getByRole('button', { name: '1 changed' }).count()).toBe(0);
    scene.expectAllQuiet();
  });

  inChromium('says who has a dialog open, and who types', async () => {
    const threadId = await scene.addLead('Данияр');
    const board = await openBoard();
    const socket = await BoardClient.connect(
      scene.server.url,
      {},
      {
        extraHeaders: { Cookie: colleague.session.cookie, Origin: scene.server.url },
      },
    );
    await socket.request('presence:set', { thread_id: threadId });
    await board.card(threadId).getByText('Алия has it open').waitFor();
    await socket.request('presence:set', { thread_id: threadId, typing: true });
    await board.card(threadId).getByText('Алия is typing').waitFor();
    socket.close();
    await board.card(threadId).getByText('Алия').waitFor({ state: 'detached' });
    scene.expectAllQuiet();
  });

  inChromium('announces the moves of others politely, the many of them in one sentence', async () => {
    const leads = await Promise.all(['Данияр', 'Мария', 'Олег'].map((name) => scene.addLead(name)));
    const board = await openBoard();
    const { page } = board;
    await scene.debug(page);
    const news = page.locator('[aria-live=polite][data-news]');
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    let passed = 0;
    const pass = async (ms: number): Promise<void> => {
      await page.clock.runFor(ms);
      passed += ms;
    };
    /** The page's own time stands still, but for this much at each look. */
    const until = (look: () => Promise<boolean>, what: string): Promise<true> =>
      eventually(async () => (await look()) || (await pass(10), false), 20_000, what);
    await moveBy(colleague, leads[0] ?? '', PAID());
    await until(async () => (await news.textContent()) !== '', 'nothing was said');
    expect(await news.textContent()).toBe('Алия moved Данияр to Оплачено.');
    passed = 0;
    for (const id of leads.slice(1)) await moveBy(colleague, id, PAID());
    const all = leads.map((id) => board.cardIn(PAID(), id));
    const moved = async (): Promise<boolean> =>
      (await Promise.all(all.map((card) => card.isVisible()))).every(Boolean);
    await until(moved, 'the cards did not move');
    await pass(4_900 - passed);
    expect(await news.textContent()).toBe('Алия moved Данияр to Оплачено.');
    await pass(200);
    await page.getByText('Others moved 2 leads.').waitFor({ state: 'attached' });
    scene.expectAllQuiet();
  });

  inChromium('goes on after the session has ended and the person has signed in over it', async () => {
    const other = await scene.person({ name: 'Марат' });
    const threadId = await scene.addLead('Данияр');
    const board = await openBoard(other);
    await other.session.call('auth/sign-out', {});
    await board.page.getByRole('dialog').waitFor();
    await moveBy(colleague, threadId, PAID());
    await scene.fillIn(board.page, other);
    await board.page.getByRole('dialog').waitFor({ state: 'detached' });
    await board.untilOnline();
    await board.cardIn(PAID(), threadId).waitFor();
    scene.expectAllQuiet({ refusals: true, outages: true });
  });
});
