import { BoardWindow } from '../../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { eventually } from '../../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';

const scene = setMonitorScene({
  stages: ['Новая заявка', 'В работе', 'Квалифицирован', 'Ожидает оплаты', 'Оплачено'].map((name) => ({
    name,
  })),
});

let person: MonitorPerson;

beforeAll(async () => {
  person = await scene.person();
});

afterEach(async () => {
  scene.expectAllQuiet();
  await scene.forgetDialogs();
});

const openBoard = async (width: number): Promise<BoardWindow> => {
  const board = new BoardWindow(
    await scene.openAs(person, scene.boardPath, {
      viewport: { width, height: 740 },
      // What comes into view is there at once.
      reducedMotion: 'reduce',
    }),
  );
  await board.untilOnline();
  return board;
};

const lead = (stage: number, waitingMinutes?: number): Promise<string> =>
  scene.account.addThread({ statusId: scene.stage(stage), waitingMinutes });

const showWaiting = async ({ page }: BoardWindow): Promise<void> => {
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Waiting', { exact: true }).selectOption('true');
};

/** Wholly before one's eyes. */
const untilInView = (board: BoardWindow, threadId: string): Promise<boolean> =>
  eventually(
    async () => {
      const card = board.card(threadId);
      const box = (await card.count()) === 1 ? await card.boundingBox() : null;
      return box !== null && box.x >= 0 && box.x + box.width <= (board.page.viewportSize()?.width ?? 0);
    },
    10_000,
    'the card is not in view',
  );

describe(`what is found on the board (${CHROMIUM_NEEDED})`, () => {
  inChromium('comes into view, though it stands in a column that was scrolled out of it', async () => {
    const [far, sought] = [await lead(4), await lead(0, 5)];
    const board = await openBoard(800);
    await board.card(far).scrollIntoViewIfNeeded();
    await untilInView(board, far);
    await showWaiting(board);
    await board.card(far).waitFor({ state: 'detached' });
    await untilInView(board, sought);
  });

  inChromium('comes into view on a phone, where another column was shown', async () => {
    await lead(1);
    const sought = await lead(3, 5);
    const board = await openBoard(360);
    await showWaiting(board);
    await untilInView(board, sought);
    expect(await board.page.getByLabel('Stage', { exact: true }).inputValue()).toBe(scene.stage(3));
  });

  inChromium(
    'begins on a phone with a stage that has leads, and stays at the one that was chosen',
    async () => {
      const [first, later] = [await lead(1), await lead(3)];
      const board = await openBoard(360);
      await board.card(first).waitFor();
      await board.page.getByLabel('Stage', { exact: true }).selectOption(scene.stage(3));
      await board.card(later).waitFor();
      await board.page.getByLabel('Order').selectOption('waiting');
      await board.page.waitForURL(/sort=waiting/);
      await board.card(later).waitFor();
      expect(await board.card(first).count()).toBe(0);
    },
  );
});
