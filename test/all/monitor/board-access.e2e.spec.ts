import { BoardWindow } from '../../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';

const scene = setMonitorScene({
  stages: [{ name: 'Новая заявка' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }],
});

let person: MonitorPerson;

beforeAll(async () => {
  person = await scene.person();
  const every = await scene.account.addThread({
    ...{ statusId: scene.stage(0), waitingMinutes: 12, takeoverSeconds: 900, phone: '+77015551006' },
  });
  await scene.kept.setFacts(
    every,
    `unread_count = 2, attention = 'scenario', attention_note = 'просит счёт', attention_since = clock_timestamp(),
     last_message_role = 'USER', last_message_text = 'Сколько стоит?', last_message_at = clock_timestamp(),
     assignee_id = '${person.session.userId}'`,
  );
  await scene.account.addThread({ statusId: scene.stage(0), optedOut: true });
  await scene.account.addThread({ statusId: scene.stage(1), aiEnabled: false });
  await scene.account.addThread();
});

afterEach(() => scene.expectAllQuiet());

const openBoard = async (options: object = {}): Promise<BoardWindow> => {
  const board = new BoardWindow(await scene.openAs(person, scene.boardPath, options));
  await board.untilOnline();
  return board;
};

describe(`the board for everybody (${CHROMIUM_NEEDED})`, () => {
  inChromium('tells the time by the server’s clock, where the browser’s is hours off', async () => {
    const page = await scene.openAhead(person, scene.boardPath, 5);
    await page
      .locator('[data-waiting]')
      .getByText(/^waits \d+ mins$/)
      .waitFor();
  });

  inChromium('lets no file that is dropped beside a dialog take its place', async () => {
    const { page } = await openBoard();
    const taken = await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.txt'));
      const list = document.querySelector('[role=list]');
      return ['dragover', 'drop'].map(
        (name) => !list.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer })),
      );
    })()`);
    expect(taken).toEqual([true, true]);
  });

  inChromium('tells three things to try on the first visit, until that is closed', async () => {
    const board = await openBoard();
    await board.page.getByText('Three things to try').waitFor();
    await board.page.getByRole('button', { name: 'Close these hints' }).click();
    await board.page.getByText('Three things to try').waitFor({ state: 'detached' });
    await board.page.reload();
    await board.untilOnline();
    expect(await board.page.getByText('Three things to try').count()).toBe(0);
  });

  inChromium('names no keys in them where there is no keyboard', async () => {
    const board = await openBoard({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    const hints = board.page.getByRole('complementary', { name: 'Three things to try' });
    await hints.waitFor();
    expect(await hints.innerText()).toContain('press the three dots');
    expect(await hints.innerText()).not.toMatch(/press M|with A/);
  });

  inChromium('leaves a column on a phone where it was scrolled to, while a dialog covers it', async () => {
    const board = await openBoard({ viewport: { width: 360, height: 740 } });
    await board.page.setViewportSize({ width: 360, height: 500 });
    await board.page.getByLabel('Stage', { exact: true }).selectOption({ label: 'Новая заявка (2)' });
    const list = board.column(scene.stage(0));
    await list.getByRole('listitem').nth(1).waitFor();
    await board.scroll(scene.stage(0), 500);
    // As the click does with a card whose edge is out of view.
    await list.getByRole('listitem').last().scrollIntoViewIfNeeded();
    const place = (): Promise<number> => list.evaluate(({ scrollTop }: { scrollTop: number }) => scrollTop);
    const lowest = await place();
    expect(lowest).toBeGreaterThan(20);
    await list.getByRole('listitem').last().click();
    await list.waitFor({ state: 'hidden' });
    await board.page.getByRole('button', { name: 'Close the dialog' }).click();
    await list.waitFor();
    expect(await place()).toBe(lowest);
  });
});
