import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { ask, askAll, partsOf, setDialogScene } from '../../monitor/dialog.scene';

const scene = setDialogScene({ stages: [{ name: 'Новая' }, { name: 'В работе' }] });

/** Scrolls back until a text is there. @returns all texts that were shown on the way */
async function seenBackTo(page: Page, last: string): Promise<Set<string>> {
  const seen = new Set<string>();
  await eventually(
    async () => {
      for (const text of await page.locator('article[data-message-id] div[dir=auto]').allTextContents())
        seen.add(text);
      await ask(partsOf(page).log, (element) => element.scrollBy(0, -400));
      return seen.has(last);
    },
    30_000,
    `${last} was not reached`,
  );
  return seen;
}

describe(`the log of a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows what a customer quotes above their words, while the dialog is open too', async () => {
    const { id, phone } = await scene.customer('Есть доставка?');
    await scene.account.addMessage(id, {
      role: 'AI',
      text: 'Да, <b>бесплатно</b>',
      messageId: 'wamid.offer',
    });
    const page = await scene.openDialog(id);
    const { message } = partsOf(page);
    await message('Да, <b>бесплатно</b>').waitFor();
    const context = { id: 'wamid.offer', from: phone };
    await scene.says(phone, { type: 'text', text: { body: 'Точно?' }, context });
    const quote = message('Точно?').locator('blockquote');
    expect(await quote.innerText()).toBe('In reply to AI\nДа, <b>бесплатно</b>');
    scene.expectQuiet(page);
  });

  inChromium(
    'says whose they are above the first of several messages, and to screen readers at each',
    async () => {
      const { id, phone } = await scene.customer('Здравствуйте');
      await scene.says(phone, 'Есть доставка?');
      await scene.account.addMessage(id, { role: 'AI', text: 'Да' });
      await scene.says(phone, 'Отлично');
      const page = await scene.openDialog(id);
      await partsOf(page).message('Отлично').waitFor();
      const heads = page.locator('article[data-message-id] > :first-child');
      expect(await heads.allTextContents()).toEqual(['Алия', 'Алия', 'AI', 'Алия']);
      const areSeen = await askAll(heads, (elements) =>
        elements.map((head) => head.getBoundingClientRect().bottom - head.getBoundingClientRect().top > 1),
      );
      expect(areSeen).toEqual([true, false, true, true]);
      scene.expectQuiet(page);
    },
  );

  inChromium('opens where the unread begin, though they are more than one page', async () => {
    const id = (await scene.longDialog(100)).id;
    await scene.kept.setFacts(id, 'unread_count = 80');
    const page = await scene.openDialog(id);
    const unread = page.locator('[role=log] [data-index]', {
      has: page.getByText('Unread', { exact: true }),
    });
    const first = unread.locator('xpath=following-sibling::div[1]');
    await first.getByText('сообщение 22', { exact: true }).waitFor();
    const box = await first.boundingBox();
    const log = await partsOf(page).log.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(log?.y ?? Infinity);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan((log?.y ?? 0) + (log?.height ?? 0));
  });

  inChromium('goes back to the first message by scrolling, each message once', async () => {
    const id = (await scene.longDialog(180)).id;
    const page = await scene.openDialog(id);
    const seen = await seenBackTo(page, 'сообщение 1');
    expect(seen.size).toBe(181);
  });

  inChromium('stands at the message that the address names, and goes on to the newest', async () => {
    const id = (await scene.longDialog(300)).id;
    const { rows } = await scene.database.pool.query<{ id: string }>(
      `SELECT id FROM messages WHERE thread_id = $1 AND text IN ('сообщение 120', 'сообщение 118', 'сообщение 5')
       ORDER BY text = 'сообщение 120' DESC, text DESC`,
      [uuidOf(id)],
    );
    const [first = '', ...further] = rows.map((row) => row.id);
    const page = await scene.openDialog(id, { hash: `#message-${first}` });
    const untilSeen = async (messageId: string): Promise<void> => {
      const named = page.locator(`[data-message-id="${messageId}"][data-named]`);
      await named.waitFor();
      await eventually(
        () =>
          ask(named, (element) => {
            const box = element.getBoundingClientRect();
            const log = element.closest('[role=log]')?.getBoundingClientRect();
            return log && box.top >= log.top && box.bottom <= log.bottom;
          }),
        5_000,
        'it is not in view',
      );
    };
    await untilSeen(first);
    // As on a busy machine: a page of older messages comes while the log still scrolls.
    await page.evaluate(`{
      const soon = window.requestAnimationFrame;
      window.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 5);
    }`);
    // Of the messages that are there, and of those that have to be read first.
    for (const messageId of further) {
      await page.evaluate(`location.hash = '#message-${messageId}'`);
      await untilSeen(messageId);
    }
    await page.getByRole('button', { name: 'To the newest message' }).click();
    await partsOf(page).message('Начало').waitFor();
  });

  inChromium('leaves nothing out where older messages come after one has gone to the newest', async () => {
    const id = (await scene.longDialog(300)).id;
    const { rows } = await scene.database.pool.query<{ id: string }>(
      `SELECT id FROM messages WHERE thread_id = $1 AND text = 'сообщение 120'`,
      [uuidOf(id)],
    );
    const page = await scene.openDialog(id, { hash: `#message-${rows[0]?.id}` });
    const { log, message } = partsOf(page);
    await message('сообщение 120').waitFor();
    await page.locator('[role=log][aria-busy=false]').waitFor();
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(
      '**/get-messages',
      async (route) => {
        asked.resolve();
        await held.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await ask(log, (element) => (element.scrollTop = 0));
    await asked.promise;
    await page.getByRole('button', { name: 'To the newest message' }).click();
    await message('Начало').waitFor();
    const late = page.waitForResponse('**/get-messages');
    held.resolve();
    await late;
    const seen = await seenBackTo(page, 'сообщение 120');
    expect(
      Array.from({ length: 181 }, (_, n) => `сообщение ${300 - n}`).filter((text) => !seen.has(text)),
    ).toEqual([]);
    scene.expectQuiet(page);
  });

  inChromium('shows hostile texts and names as text, each in its own direction', async () => {
    const hostile = {
      html: '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>жирный</b>',
      turned: '\u202eabc\u202c שלום עולם abc',
      zalgo: `Z${'\u0300\u0301\u0302\u0303'.repeat(200)}algo`,
      family: '👩‍👩‍👧‍👦 👨🏽‍💻',
      escapes: '\\u0000 %00 &#0; \\x00',
      long: 'слово '.repeat(11_000),
    };
    const { id, phone } = await scene.customer(hostile.html, '<i>Ал\u202eия</i> שרה');
    const page = await scene.openDialog(id);
    const { message } = partsOf(page);
    for (const text of [hostile.turned, hostile.zalgo, hostile.family, hostile.escapes])
      await scene.says(phone, text);
    await message(hostile.escapes).waitFor();
    const texts = await page.locator('article[data-message-id] div[dir=auto]').allTextContents();
    for (const text of [hostile.html, hostile.turned, hostile.zalgo, hostile.family])
      expect(texts).toContain(text);
    expect(await page.locator('article img, article script, article b, [data-dialog-of] h2 i').count()).toBe(
      0,
    );
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('[data-dialog-of] h2 bdi').textContent()).toContain('<i>Ал');
    // 64 kB are cut at first.
    await scene.account.addMessage(id, { text: hostile.long });
    await page.reload();
    const long = message('слово слово');
    await long.waitFor();
    expect(((await long.locator('div[dir=auto]').textContent()) ?? '').length).toBeLessThan(4_000);
    await long.getByRole('button', { name: /^Show all/ }).click();
    expect(await long.locator('div[dir=auto]').textContent()).toBe(hostile.long);
    scene.expectQuiet(page);
  });

  inChromium('leaves unread what is below the view, until one comes down to it', async () => {
    const { id, phone } = await scene.customer('слово '.repeat(600).trim());
    await scene.says(phone, 'Самое последнее');
    const page = await scene.openAs(scene.operator, scene.boardPath);
    const marked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/mark-read') && marked.push(request.url()));
    await page.locator(`[role=listitem][data-thread-id="${id}"]`).click();
    await page.getByRole('button', { name: 'To the newest message' }).click({ trial: true });
    expect(marked).toEqual([]);
    await page.getByRole('button', { name: 'To the newest message' }).click();
    await page.locator(`[role=listitem][data-thread-id="${id}"]:not([data-unread])`).waitFor();
  });

  inChromium(
    'leaves unread what comes while its end is out of view, until one comes down to it',
    async () => {
      const id = (await scene.longDialog(60)).id;
      const { rows } = await scene.database.pool.query<{ phone: string }>(
        'SELECT phone FROM threads WHERE id = $1',
        [uuidOf(id)],
      );
      const page = await scene.openDialog(id);
      const marked: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/mark-read'))
          marked.push((request.postDataJSON() as { up_to: string }).up_to);
      });
      const { log, message } = partsOf(page);
      await message('Начало').waitFor();
      await scene.debug(page);
      await page.locator(`[role=listitem][data-thread-id="${id}"]:not([data-unread])`).waitFor();
      await ask(log, (element) => element.scrollBy(0, -900));
      await page.getByRole('button', { name: 'To the newest message' }).waitFor();
      marked.length = 0;
      await page.clock.install();
      await scene.says((rows[0]?.phone ?? '').slice(1), 'Ниже');
      const news = page.getByRole('button', { name: '1 new message' });
      await news.waitFor();
      await page.clock.runFor(2_000);
      expect(marked).toEqual([]);
      await news.click();
      const seen = await message('Ниже').getAttribute('data-message-id');
      await eventually(() => Promise.resolve(marked.length > 0), 10_000, 'it is not marked as read');
      expect(marked).toEqual([seen]);
      scene.expectQuiet(page);
    },
  );
});
