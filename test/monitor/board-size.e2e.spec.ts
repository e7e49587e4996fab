import { BoardWindow, type PageElement } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const LEADS = 10_000;
const STAGES = 8;
const CARDS_MAX = 400;
const ELEMENTS_MAX = 8_000;
/** Of 600 px each, to the fortieth card. */
const SCROLLS_MOST = 20;

const scene = setMonitorScene({ stages: Array.from({ length: STAGES }, () => ({})) });

let person: MonitorPerson;

/** Leads of an agent, as many in each of the stages. */
const fill = (assistantId: string, botId: string, stages: string[], count: number): Promise<unknown> =>
  scene.database.pool.query(
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, status_id, status_set_at,
       status_set_by, customer_name, last_message_role, last_message_text, last_message_at, last_activity_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'waba', n::text, '+7701' || lpad(n::text, 7, '0'),
            ($4::uuid[])[1 + n % cardinality($4::uuid[])], clock_timestamp(), 'AI', 'Lead ' || n, 'USER',
            'Message ' || n, clock_timestamp(), clock_timestamp() - make_interval(secs => n)
       FROM generate_series(1, $5::int) n`,
    [scene.account.id, assistantId, botId, stages, count],
  );

beforeAll(async () => {
  person = await scene.person();
  await fill(scene.account.assistantId, scene.account.botId, scene.account.stages, LEADS);
  await scene.database.pool.query('ANALYZE threads');
});

afterEach(() => scene.expectAllQuiet());

const openBoard = async (): Promise<BoardWindow> => {
  const board = new BoardWindow(await scene.openAs(person, scene.boardPath));
  await board.untilOnline();
  await board.column(scene.stage(0)).getByRole('listitem').first().waitFor();
  return board;
};

const sizes = async (board: BoardWindow): Promise<{ cards: number; elements: number }> =>
  board.page.evaluate(`({
    cards: document.querySelectorAll('[role=listitem][data-thread-id]').length,
    elements: document.querySelectorAll('*').length,
  })`);

describe(`ten thousand leads (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'are counted, and few are in the document however far one scrolls, with the focus where it was',
    async () => {
      const board = await openBoard();
      await board.untilCount(scene.stage(0), LEADS / STAGES);
      const list = board.column(scene.stage(0));
      const focused = list.locator('[aria-posinset="2"]');
      await focused.focus();
      const threadId = (await focused.getAttribute('data-thread-id')) ?? '';
      const far = list.locator('[aria-posinset="40"]');
      for (let turn = 0; turn < SCROLLS_MOST && (await far.count()) === 0; turn += 1) {
        const { cards, elements } = await sizes(board);
        expect(cards).toBeGreaterThan(STAGES);
        expect(cards).toBeLessThanOrEqual(CARDS_MAX);
        expect(elements).toBeLessThanOrEqual(ELEMENTS_MAX);
        await board.scroll(scene.stage(0), 600);
        await list.getByRole('listitem').first().waitFor();
      }
      expect(await far.count()).toBe(1);
      expect(await board.page.evaluate('document.activeElement.dataset.threadId')).toBe(threadId);
      await board.page.keyboard.press('j');
      await list.locator('[aria-posinset="3"]:focus').waitFor();
    },
  );

  inChromiumAtLength('come as one scrolls, each once, to the end of what is asked for', async () => {
    const board = await openBoard();
    const list = board.column(scene.stage(1));
    const far = list.locator('[aria-posinset="140"]');
    while ((await far.count()) === 0) await board.scroll(scene.stage(1), 600);
    const places = await list
      .getByRole('listitem')
      .evaluateAll((cards: PageElement[]) => cards.map((card) => card.ariaPosInSet));
    expect(new Set(places).size).toBe(places.length);
    expect(await far.getAttribute('aria-setsize')).toBe(String(LEADS / STAGES));
  });

  inChromiumAtLength('say that there are more where a column could not be read on, until it is', async () => {
    const { page } = await openBoard();
    let isRefused = true;
    await page.routeWebSocket(/socket\.io/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((packet) => socket.send(packet));
      socket.onMessage((packet) => {
        const [, id] = /^42\/board,(\d+)\["board:more"/.exec(String(packet)) ?? [];
        const error = { code: 'FORBIDDEN', message: 'Refused.', request_id: 'r' };
        if (id !== undefined && isRefused)
          socket.send(`43/board,${id}${JSON.stringify([{ ok: false, error }])}`);
        else server.send(packet);
      });
    });
    await page.reload();
    const board = new BoardWindow(page);
    const column = board.column(scene.stage(2));
    await column.getByRole('listitem').first().waitFor();
    await board.scroll(scene.stage(2), 100_000);
    const more = column.locator('xpath=..').getByRole('button', { name: 'Show more' });
    await more.waitFor();
    isRefused = false;
    await more.click();
    await more.waitFor({ state: 'detached' });
    await scene.closeWindow(page);
  });

  inChromiumAtLength(
    'begin at the top when others are asked for, and not when a dialog is opened',
    async () => {
      const board = await openBoard();
      const list = board.column(scene.stage(1));
      const scrolled = (): Promise<number> =>
        list.evaluate(({ scrollTop }: { scrollTop: number }) => scrollTop);
      await board.scroll(scene.stage(1), 1_200);
      const place = await scrolled();
      expect(place).toBeGreaterThan(0);
      await list.locator('[aria-posinset="16"]').click();
      await board.page.locator('[role=log]').waitFor();
      expect(await scrolled()).toBe(place);
      await board.page.keyboard.press('Escape');
      await board.page.locator('[role=log]').waitFor({ state: 'detached' });
      expect(await scrolled()).toBe(place);
      await board.page.getByRole('button', { name: 'Filters' }).click();
      await board.page.getByLabel('Unread messages').selectOption('false');
      await list.locator('[aria-posinset="1"]').waitFor();
      expect(await scrolled()).toBe(0);
    },
  );

  inChromiumAtLength(
    'have menus as high as there is room on a phone, wherever their cards stand',
    async () => {
      const board = await openBoard();
      const { page } = board;
      await page.getByRole('button', { name: 'Close these hints' }).click();
      await page.setViewportSize({ width: 360, height: 560 });
      await page.getByLabel('Stage', { exact: true }).selectOption(scene.stage(0));
      const buttons = board.column(scene.stage(0)).getByRole('button');
      const menu = page.getByRole('menu');
      for (const place of [0, 1, 2]) {
        await buttons.nth(place).click();
        const fits = async (): Promise<boolean> => {
          const box = await menu.boundingBox();
          return box !== null && box.y >= 0 && box.y + box.height <= 560;
        };
        await eventually(fits, 5_000, `the menu of card ${place} goes out of the window`);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });
      }
    },
  );

  inChromiumAtLength(
    'of fifty stages draw the cards of the columns near the view alone, and all their heads',
    async () => {
      const assistantId = await scene.account.addAssistant();
      const botId = await scene.account.addBot(undefined, assistantId);
      const stages = await scene.account.addStages(
        assistantId,
        Array.from({ length: 50 }, () => ({})),
      );
      await fill(assistantId, botId, stages, 1_000);
      const board = new BoardWindow(await scene.openAs(person, `/board/${assistantId}`));
      await board.untilOnline();
      await board
        .column(stages[0] ?? '')
        .getByRole('listitem')
        .first()
        .waitFor();
      for (const stage of stages) await board.untilCount(stage, 20);
      expect((await sizes(board)).cards).toBeLessThanOrEqual(CARDS_MAX);
      const last = board.column(stages.at(-1) ?? '');
      expect(await last.getByRole('listitem').count()).toBe(0);
      await last.scrollIntoViewIfNeeded();
      await last.getByRole('listitem').first().waitFor();
      expect((await sizes(board)).cards).toBeLessThanOrEqual(CARDS_MAX);
    },
  );
});
