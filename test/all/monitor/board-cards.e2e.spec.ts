import { randomUUIDv7 } from 'node:crypto';
import { BoardWindow, type PageElement } from '../../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { eventually } from '../../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../../support/scenes/monitor.scene';

const scene = setMonitorScene({
  stages: [{ name: 'Новая заявка' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }],
});

let person: MonitorPerson;

beforeAll(async () => {
  person = await scene.person();
});

afterEach(async () => {
  scene.expectAllQuiet();
  await scene.forgetDialogs();
});

const openBoard = async (path = scene.boardPath, locale = 'en-GB'): Promise<BoardWindow> => {
  const board = new BoardWindow(
    await scene.openAs(person, path, { locale, viewport: { width: 1440, height: 1800 } }),
  );
  await board.untilOnline();
  return board;
};

describe(`the cards of the board (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'stand in columns by stage, that without a stage first, each with its name and number',
    async () => {
      await scene.account.addThread({ statusId: scene.stage(1) });
      await scene.account.addThread({ statusId: scene.stage(1) });
      await scene.account.addThread();
      const board = await openBoard();
      const lists = board.page.locator('[role=list][data-status-id]');
      expect(
        await lists.evaluateAll((all: PageElement[]) =>
          all.map((list) => [list.dataset.statusId, list.ariaLabel]),
        ),
      ).toEqual([
        ['none', 'No stage'],
        [scene.stage(0), 'Новая заявка'],
        [scene.stage(1), 'В работе'],
        [scene.stage(2), 'Оплачено'],
      ]);
      await board.untilCount(null, 1);
      await board.untilCount(scene.stage(0), 0);
      await board.untilCount(scene.stage(1), 2);
    },
  );

  inChromium('carry their place and their state as attributes', async () => {
    const statusId = scene.stage(0);
    const plain = await scene.account.addThread({ statusId });
    const special = await scene.account.addThread({ statusId, waitingMinutes: 5, optedOut: true });
    await scene.kept.setFacts(
      special,
      "unread_count = 3, attention = 'hand_over', attention_since = clock_timestamp(), last_activity_at = clock_timestamp() + interval '1 minute'",
    );
    const board = await openBoard();
    const attributes = (threadId: string): Promise<object> =>
      board
        .card(threadId)
        .evaluate((card: PageElement) => ({ ...card.dataset, place: [card.ariaPosInSet, card.ariaSetSize] }));
    expect(await attributes(special)).toMatchObject({
      place: ['1', '2'],
      handler: 'OPERATOR',
      waiting: 'true',
      unread: '3',
      optedOut: 'true',
      attention: 'hand_over',
    });
    const others = await attributes(plain);
    expect(others).toMatchObject({ place: ['2', '2'], handler: 'AI' });
    for (const absent of ['waiting', 'unread', 'optedOut', 'attention'])
      expect(others).not.toHaveProperty(absent);
  });

  inChromium(
    'say in words who waits, who answers, why a person is asked for, and to whom it is assigned',
    async () => {
      const threadId = await scene.account.addThread({
        ...{ statusId: scene.stage(0), waitingMinutes: 12, takeoverSeconds: 900, phone: '+77015551006' },
      });
      await scene.kept.setFacts(
        threadId,
        `unread_count = 2, attention = 'scenario', attention_note = 'просит счёт', attention_since = clock_timestamp(),
       last_message_role = 'USER', last_message_text = 'Сколько стоит?', last_message_at = clock_timestamp(),
       assignee_id = '${person.session.userId}', status_set_at = clock_timestamp() - interval '3 days'`,
      );
      const board = await openBoard();
      const words = (await board.card(threadId).innerText()).replaceAll('\n', ' ');
      for (const part of [
        ...['+7 701 555 10 06', 'Customer: Сколько стоит?', '2 unread messages', 'waits 12 min'],
        ...['A scenario asks for a person: просит счёт', 'Айгерим', '3 days', 'Meta'],
      ])
        expect(words).toContain(part);
      expect(words).toMatch(/Operator 1[45]:\d\d/);
    },
  );

  inChromium('say that the AI is silent where the stage silences it', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(1) });
    const board = await openBoard();
    const mark = (words: string): Promise<void> =>
      board.card(threadId).getByText(words, { exact: true }).waitFor();
    await mark('AI');
    await scene.admin.admin('PATCH', `statuses/${scene.stage(1)}`, { ai_enabled: false });
    await mark('AI silent');
    await scene.admin.admin('PATCH', `statuses/${scene.stage(1)}`, { ai_enabled: true });
    await mark('AI');
  });

  inChromium('say no number of what began within this minute', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(0), waitingMinutes: 0 });
    const board = await openBoard();
    const words = (await board.card(threadId).innerText()).split('\n');
    expect(words).toEqual(expect.arrayContaining(['waits', 'now']));
    expect(words.join()).not.toContain('0 min');
  });

  inChromium('count an operator down by the second', async () => {
    const threadId = await scene.account.addThread({ takeoverSeconds: 600 });
    const board = await openBoard();
    const chip = board.card(threadId).getByText(/^Operator \d+:\d\d$/);
    const before = await chip.innerText();
    await board.card(threadId).getByText(before).waitFor({ state: 'detached' });
    expect(await chip.innerText()).not.toBe(before);
  });

  inChromium('show what was said last from its beginning on, in every direction of writing', async () => {
    const words = 'مرحبا، هل يمكنني طلب كيلوغرامين من القهوة ومتى يصل الطلب إلى ألماتي؟';
    const id = await scene.account.addThread({ statusId: scene.stage(0) });
    await scene.kept.setFacts(
      id,
      `last_message_role = 'USER', last_message_text = '${words}', last_message_at = clock_timestamp()`,
    );
    const board = await openBoard();
    const room = await board.page.evaluate(`(() => {
      const card = document.querySelector('[data-thread-id="${id}"]');
      const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
      while (!texts.nextNode().data.startsWith('مرحبا'));
      const first = document.createRange();
      first.setStart(texts.currentNode, 0);
      first.setEnd(texts.currentNode, 1);
      return card.getBoundingClientRect().right - first.getBoundingClientRect().right;
    })()`);
    expect(room).toBeGreaterThan(0);
  });

  inChromium('say that a board is not there, or not one’s own, and lead to one that is', async () => {
    const foreign = await scene.account.addAssistant();
    const narrow = await scene.person({ assistant_ids: [scene.account.assistantId] });
    for (const id of [randomUUIDv7(), foreign, 'nonsense']) {
      const page = await scene.openAs(narrow, `/board/${id}`);
      await page.getByRole('heading', { name: 'There is no such board' }).waitFor();
      await page.getByRole('main').getByRole('link').last().click();
      await page.waitForURL(`**${scene.boardPath}*`);
    }
  });

  inChromium('are found while one types, by name', async () => {
    const found = await scene.account.addThread({ statusId: scene.stage(0) });
    const other = await scene.account.addThread({ statusId: scene.stage(0) });
    await scene.api.setName(found, 'Нурсултан');
    await scene.api.setName(other, 'Мария');
    const isFound = async (): Promise<boolean> =>
      (await scene.api.getThreads({ search: 'Нурсул' })).body.data.threads.length === 1;
    await eventually(isFound, 20_000, 'the name is not searchable');
    const board = await openBoard();
    await board.card(other).waitFor();
    await board.page.keyboard.press('Slash');
    await board.page.locator('input[type=search]:focus').waitFor();
    await board.page.keyboard.type('Нурсул');
    await board.card(other).waitFor({ state: 'detached' });
    await board.card(found).waitFor();
    await board.untilCount(scene.stage(0), 1);
  });

  inChromium('are sorted by who waits longest, where that is asked for', async () => {
    const long = await scene.account.addThread({ statusId: scene.stage(0), waitingMinutes: 50 });
    const short = await scene.account.addThread({ statusId: scene.stage(0), waitingMinutes: 5 });
    const board = await openBoard();
    await board.card(long).waitFor();
    await board.page.getByLabel('Order').selectOption({ label: 'Longest waiting' });
    await board.page.locator(`[data-thread-id="${long}"][aria-posinset="1"]`).waitFor();
    await board.page.locator(`[data-thread-id="${short}"][aria-posinset="2"]`).waitFor();
  });

  inChromium('are shown in Russian with its plural forms', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(0), waitingMinutes: 5.5 });
    await scene.kept.setFacts(threadId, 'unread_count = 5');
    const board = await openBoard(scene.boardPath, 'ru-RU');
    const words = await board.card(threadId).innerText();
    expect(words).toContain('5 непрочитанных сообщений');
    expect(words).toContain('ждёт 5 мин');
    expect(await board.page.locator('html').getAttribute('lang')).toBe('ru');
  });

  inChromium('say why there are none, where nobody has written and where none matches', async () => {
    const board = await openBoard();
    await board.page.getByText('Nobody has written yet').waitFor();
    expect(await board.column(null).locator(':scope > *:not([role=presentation])').count()).toBe(0);
    await board.page.getByLabel('Search by name, phone or words').fill('Нурсултан');
    await board.page.getByText('No lead matches the search and the filters').waitFor();
  });
});
