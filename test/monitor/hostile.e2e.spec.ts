import type { Page } from 'playwright-core';
import { isolated } from '../../apps/monitor/src/shared/format/direction.format';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { hostileTexts, markupOf, wordsOf } from '../support/clients/hostile.texts';
import { eventually } from '../support/eventually';
import { IS_LONG } from '../support/long.mode';
import { KINDS, setHostileScene } from '../support/scenes/hostile.scene';
import { csvFile } from '../support/scenes/send-page.scene';

/** Of each kind one, and five of each in `npm run test:all`. */
const TEXTS = hostileTexts(IS_LONG ? 200 : 40);
const scene = setHostileScene(TEXTS);
/** A column shows so many pixels more with each step. */
const STEP = 600;
const DEADLINE_MS = 20_000;
const WIDE = { width: 1440, height: 800 };
const NARROW = { width: 360, height: 800 };

const hostile = (index: number): string => TEXTS[index] ?? '';

/** All that can be read, in fields too. */
const READ = `[document.body.textContent, ...Array.from(document.querySelectorAll('input, textarea'), (field) => field.value)].join('\\n')`;
/** What markup would have made of itself. No policy keeps it from being there. */
const ALIVE = `document.querySelectorAll('[onerror], [onload], [srcdoc], [src=x], body script').length + ('hacked' in window ? 1 : 0)`;
const BESIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** Where words that turn the direction have others after them which nothing keeps apart. */
const TURNED = `(() => {
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data;
    // A sentence may keep apart some of its names, and not all.
    if (!/\\u202E.*W{28}/s.test(text.replace(/\\u2068[^\\u2069]*\\u2069/g, ''))) continue;
    const isApart = (element) => {
      const { unicodeBidi, display } = getComputedStyle(element);
      return unicodeBidi !== 'normal' || display !== 'inline';
    };
    let part = walker.currentNode.parentElement;
    while (!isApart(part)) part = part.parentElement;
    const isEnded = /^[^\\u2066-\\u2068]*\\u2069/.test(text) && getComputedStyle(part).display === 'inline';
    if (isEnded || !/W{28}\\d?\\s*$/.test(part.textContent)) wrong.push(part.textContent);
  }
  return wrong;
})()`;

/** Nothing ran, became markup, turned its surroundings, or is wider than the window, and no part of the page is down. */
async function expectCalm(page: Page, where: string): Promise<void> {
  expect([where, await page.evaluate(ALIVE)]).toEqual([where, 0]);
  // What is open over the page finds its place anew a moment after the window has changed.
  const fits = async (): Promise<boolean> => (await page.evaluate(BESIDE)) === 0;
  await eventually(fits, DEADLINE_MS, `${where} is wider than the window`);
  expect([where, await page.evaluate(TURNED)]).toEqual([where, []]);
  expect([where, await page.getByText('This part cannot be shown').count()]).toEqual([where, 0]);
}

/** The hostile words of these places stand there as text, and the page is calm with them at both widths. */
async function expectShown(page: Page, where: string, texts: readonly string[]): Promise<void> {
  const missing = async (): Promise<string[]> => {
    const read = await page.evaluate<string>(READ);
    return texts.filter((text) => !read.includes(text.trim()));
  };
  await eventually(
    async () => (await missing()).length === 0,
    DEADLINE_MS,
    `${where} does not show its words`,
  ).catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(await missing())}`);
  });
  await expectCalm(page, `${where} at 1440`);
  await page.setViewportSize(NARROW);
  await expectCalm(page, `${where} at 360`);
  await page.setViewportSize(WIDE);
}

/** Each ends, in a way of its own, what keeps it apart, or leaves something open in it. */
const BREAKING_OUT = [
  ...['ab\u2069\u202Ecd', 'ab\u2069\u2069\u2067cd', 'ab\u2067cd', '\u2066ab\u2067cd\u2069', 'ab\u202Ecd'],
  ...[
    'ab\u2029\u202Ecd',
    '\u2067ab\u2029\u2069\u202Ecd',
    'ab\u0085\u202Ecd',
    'ab\u001c\u202Ecd\u2029\u202Ee',
  ],
];

/** What is seen from left to right of each text, each in a paragraph of its own. */
const seenOf = (page: Page, texts: readonly string[]): Promise<string[]> =>
  page.evaluate(`${JSON.stringify(texts)}.map((text) => {
    const paragraph = document.body.appendChild(document.createElement('p'));
    const node = paragraph.appendChild(document.createTextNode(text));
    const seen = [...text].map((sign, at) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, width } = range.getBoundingClientRect();
      return { sign, left, width };
    });
    paragraph.remove();
    return seen.filter(({ width }) => width > 0).sort((one, other) => one.left - other.left).map(({ sign }) => sign).join('');
  })`);

/** So often the highest message is the same one when no more come. */
const LOOKS_AT_THE_TOP = 100;

/**
 * What of a dialog is drawn; its highest message goes down. Where the one before is not drawn, that is too far. At the top the
 * walk begins anew: on a busy machine a message may be passed before its text is drawn.
 */
const WALK_UP = `(() => {
  const log = document.querySelector('[role=log]');
  const drawn = [...log.querySelectorAll('article')];
  const isTooFar = window.before && !drawn.some(({ dataset }) => dataset.messageId === window.before);
  if (isTooFar) log.scrollBy(0, 300);
  else {
    const { messageId } = drawn[0].dataset;
    window.looks = messageId === window.before ? (window.looks ?? 0) + 1 : 0;
    window.before = window.looks > ${LOOKS_AT_THE_TOP} ? undefined : messageId;
    if (window.before) drawn[0].scrollIntoView({ block: 'end' });
    else log.scrollTo(0, log.scrollHeight);
  }
  return drawn.map(({ textContent }) => textContent);
})()`;

/** As links do, without loading the page anew. */
const goWithin = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);

/** What asks before something grave is done names it, and is closed again. */
async function expectAsked(page: Page, question: string | RegExp, place: string): Promise<void> {
  await page.getByRole('button', { name: question }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: markupOf(place) });
  await dialog.waitFor();
  await expectShown(page, `${question}`, []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

describe(`hostile texts and names (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'stand as text on cards and in a dialog, each of them',
    async () => {
      const page = await scene.openAs(scene.owner, scene.boardPath);
      const board = new BoardWindow(page);
      await board.untilCount(scene.stage(0), TEXTS.length);
      const onCards = new Map<string, string>();
      const collect = async (): Promise<void> => {
        const shown = await page.evaluate<[string, string][]>(
          `[...document.querySelectorAll('[role=listitem][data-thread-id]')].map((card) => [card.dataset.threadId, card.textContent])`,
        );
        for (const [id, text] of shown) onCards.set(id, text);
      };
      for (let step = 0; step < 80 && scene.leads.some((id) => !onCards.has(id)); step++) {
        await collect();
        await board.scroll(scene.stage(0), STEP);
      }
      expect(scene.leads.filter((id, index) => !onCards.get(id)?.includes(hostile(index).trim()))).toEqual(
        [],
      );
      await expectCalm(page, scene.boardPath);

      await goWithin(page, `/dialogs/${scene.talk}`);
      await page.locator('[role=log] article').first().waitFor();
      const inDialog = new Set<string>();
      const deadline = Date.now() + 3 * DEADLINE_MS;
      while (inDialog.size < TEXTS.length && Date.now() < deadline) {
        const shown = await page.evaluate<string[]>(WALK_UP);
        for (const text of TEXTS) if (shown.some((each) => each.includes(text.trim()))) inDialog.add(text);
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      expect(TEXTS.filter((text) => !inDialog.has(text))).toEqual([]);
      await expectCalm(page, 'dialog');
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromium(
    'stand as text in the log, the head and the notices of a dialog, and among its templates',
    async () => {
      const page = await scene.openAs(scene.owner, `/dialogs/${scene.story}`, { viewport: WIDE });
      const told = ['note', 'step', 'call', 'customer', 'named', 'assignee', 'stage', 'scenario'];
      await expectShown(page, 'a dialog', told.map(markupOf));
      await page.getByRole('button', { name: /^Assigned to/ }).click();
      await expectShown(page, 'the people of a dialog', ['users', 'assignee'].map(markupOf));
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Stage:/ }).click();
      await page
        .getByRole('menuitemradio')
        .filter({ hasText: markupOf('stage') })
        .first()
        .click();
      const notice = page.getByRole('status').filter({ hasText: markupOf('customer') });
      await notice.filter({ hasText: markupOf('stage') }).waitFor();
      await expectShown(page, 'a notice', []);
      await page.getByRole('button', { name: 'Choose a template' }).click();
      await expectShown(page, 'the templates of a dialog', [...['template', 'body'].map(markupOf), ...KINDS]);
      await page
        .getByRole('dialog')
        .getByRole('button')
        .filter({ hasText: markupOf('template') })
        .click();
      await page.getByRole('dialog').locator('input').first().fill(wordsOf('value'));
      await expectShown(page, 'a template', ['header', 'body', 'footer', 'button', 'value'].map(markupOf));
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromiumAtLength(
    'stand as text where a list is put together, and in what became of it',
    async () => {
      const page = await scene.openAs(scene.owner, '/send', { viewport: WIDE });
      await page.getByRole('combobox', { name: 'Template' }).click();
      await expectShown(page, 'the templates to send', [markupOf('template'), ...KINDS, markupOf('bots')]);
      await page
        .getByRole('option')
        .filter({ hasText: markupOf('template') })
        .click();
      const parts = ['header', 'body', 'footer', 'button', 'example'].map(markupOf);
      await expectShown(page, 'the preview', parts);
      await page.getByText('From a CSV file').click();
      const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const heads = ['phone', ...['first', 'second'].map(wordsOf).map(quoted)];
      const rows = KINDS.map((text, n) => [`+7701988${1000 + n}`, quoted(text), quoted(wordsOf('cell'))]);
      const table = [heads, ['hardly a phone', quoted(wordsOf('fault')), 'x'], ...rows];
      const content = table.map((cells) => cells.join(';')).join('\n');
      await page.locator('input[type=file]').setInputFiles(csvFile(content, `${markupOf('file')}.csv`));
      await page.getByRole('table', { name: 'Check' }).waitFor();
      const read = ['file', 'first', 'second', 'fault', 'cell'].map(markupOf);
      await expectShown(page, 'a list', [...read, ...KINDS.slice(0, 5)]);
      await expectAsked(page, /^Send to/, 'template');
      await goWithin(page, `/send?batch=${scene.batch}`);
      await expectShown(page, 'the results of a list', [markupOf('refusal'), ...KINDS.slice(0, 5)]);
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromium(
    'take no page down, run nowhere and widen nothing, at 1440 and 360 px',
    async () => {
      const page = await scene.openAs(scene.owner, scene.boardPath, { viewport: WIDE });
      await expectShown(page, 'the board', ['assistants', 'stage', 'assignee'].map(markupOf));
      // A name leaves its number room.
      const count = await new BoardWindow(page).count(scene.stage(0)).boundingBox();
      expect(count?.height).toBeLessThan(30);
      for (const lead of [0, 27]) {
        await goWithin(page, `/dialogs/${scene.leads[lead]}`);
        await expectShown(page, `a dialog with ${lead}`, [hostile(lead)]);
      }
      await goWithin(page, '/figures');
      await page.getByText('As a table').first().click();
      await expectShown(page, 'the figures', [markupOf('stage')]);
      await goWithin(page, '/runs');
      await page
        .getByRole('button')
        .filter({ hasText: markupOf('scenario') })
        .click();
      await expectShown(page, 'a run', ['scenario', 'label', 'fault', 'users'].map(markupOf));
      await goWithin(page, '/settings/audit?action=scenario.create');
      await page.getByText('What changed').first().click();
      await expectShown(page, 'the audit', ['scenario', 'users'].map(markupOf));
      await goWithin(page, `/settings/scenarios?id=${scene.scenario}`);
      for (const question of ['Start by hand', 'Cancel its runs', 'Delete the scenario'])
        await expectAsked(page, question, 'scenario');
      await goWithin(page, `/settings/stages?id=${scene.stage(0)}`);
      await expectAsked(page, 'Archive the stage', 'stage');
      for (const [path = '', ...places] of [
        [`scenarios?id=${scene.scenario}`, 'scenario', 'step', 'call', 'stage'],
        [`scenarios?id=${scene.scenario}&edit=yes`, 'scenario', 'step', 'call', 'label'],
        ['templates', 'template'],
        ['assistants', 'assistants'],
        ['stages', 'stage'],
        ['bots', 'bots'],
        ['keys', 'api_keys'],
        ['users', 'users', 'assignee'],
      ]) {
        await goWithin(page, `/settings/${path}`);
        await expectShown(page, path, places.map(markupOf));
      }
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromium(
    'turn nothing of the sentences in which they stand, whatever they end or leave open',
    async () => {
      const page = await scene.open();
      await page.route('**/sign-in', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      await scene.go(page, '/sign-in');
      const wrong = (
        await seenOf(
          page,
          BREAKING_OUT.map((name) => `${isolated(name)} is in 5 (x)`),
        )
      ).filter((seen) => !seen.endsWith(' is in 5 (x)'));
      expect(wrong).toEqual([]);
      scene.expectQuiet(page);
    },
  );

  // The last: it takes a stage away, and starts scenarios.
  inChromiumAtLength(
    'stand as text in notices of what failed, and of what happened meanwhile',
    async () => {
      await scene.moveByOther(scene.story, 2);
      const page = await scene.openAs(scene.owner, scene.boardPath, { viewport: WIDE });
      const board = new BoardWindow(page);
      const alert = page.getByRole('alert');
      const status = page.getByRole('status');
      const chooseStage = (order: number) => page.getByRole('menuitemradio').nth(order).click();
      await board.menuButton(scene.story).click();
      await scene.moveByOther(scene.story, 1);
      await chooseStage(1);
      await alert.filter({ hasText: markupOf('users') }).waitFor();
      await expectShown(page, 'a move that came too late', ['users', 'customer', 'stage'].map(markupOf));
      await page.keyboard.press('Escape');
      await board.menuButton(scene.story).click();
      await scene.moveByOther(scene.story, 2);
      await page.keyboard.press('Escape');
      await status.filter({ hasText: markupOf('users') }).waitFor();
      await expectShown(page, 'what happened to a card in hand', []);
      await scene.archiveUnseen(scene.stage(1));
      await board.menuButton(scene.story).click();
      await chooseStage(2);
      await alert.filter({ hasText: 'was not moved' }).waitFor();
      await expectShown(page, 'a refused move', []);
      await scene.openWindow(scene.leads[0] ?? '');
      await goWithin(page, `/dialogs/${scene.leads[0]}`);
      const empty = { name: `${wordsOf('attached')}.pdf`, mimeType: 'application/pdf', buffer: Buffer.of() };
      await page.locator('input[type=file][aria-label="Attach a file"]').setInputFiles(empty);
      await alert.filter({ hasText: 'is empty' }).waitFor();
      await expectShown(page, 'a refused file', [markupOf('attached')]);
      await goWithin(page, `/dialogs/${scene.story}`);
      await page.getByRole('button', { name: 'Choose a template' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'order_ready' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send the template' }).click();
      const refusal = page.getByRole('dialog').getByRole('alert');
      await refusal.filter({ hasText: markupOf('fault') }).waitFor();
      await expectShown(page, 'a refused template', []);
      scene.expectQuiet(page, { refusals: true });
    },
    120_000,
  );
});
