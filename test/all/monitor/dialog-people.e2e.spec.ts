import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { withEarlyFrames } from '../../support/clients/early.frames';
import { eventually } from '../../support/eventually';
import { partsOf, setDialogScene } from '../../monitor/dialog.scene';

const scene = setDialogScene({ stages: [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Оплачено' }] });

const stageOf = async (id: string): Promise<string | null> => (await scene.kept.thread(id)).status_id;
const stageButton = (page: Page) => page.locator('[data-dialog-of] [data-stage-id]');

describe(`the people around a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium('a move from the dialog can be undone, and tells who was quicker', async () => {
    const { id } = await scene.customer();
    const [first, second, third] = scene.account.stages;
    await scene.operator.session.call('leads/set-status', { thread_id: id, status_id: first });
    const page = await scene.openDialog(id);
    await stageButton(page).click();
    await page.locator('[role=menuitemradio][aria-checked=true]', { hasText: 'Новая' }).waitFor();
    await page.getByRole('menuitemradio', { name: 'В работе' }).click();
    await page.getByRole('status').getByText('is in В работе now').waitFor();
    expect(await stageOf(id)).toBe(second);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('is back in Новая').waitFor();
    expect(await stageOf(id)).toBe(first);

    const colleague = await scene.person({ name: 'Берик' });
    await stageButton(page).click();
    const choice = page.getByRole('menuitemradio', { name: 'В работе' });
    await choice.waitFor();
    await page.route(
      '**/api/v1/leads/set-status',
      async (route) => {
        await colleague.session.call('leads/set-status', { thread_id: id, status_id: third });
        await route.continue();
      },
      { times: 1 },
    );
    await choice.click();
    await page
      .getByRole('alert')
      .getByText(/^Берик has moved .+ to Оплачено meanwhile\.$/)
      .waitFor();
    expect(await stageOf(id)).toBe(third);
    await page.getByRole('button', { name: 'Move all the same' }).click();
    await stageButton(page).getByText('В работе').waitFor();
    await eventually(async () => (await stageOf(id)) === second, 5_000, 'it was not moved');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('a move from the dialog answers the waiting message where that is ticked', async () => {
    const { id } = await scene.customer();
    const [first, second] = scene.account.stages;
    await scene.operator.session.call('leads/set-status', { thread_id: id, status_id: first });
    const page = await scene.openDialog(id);
    const tick = page.getByRole('menuitemcheckbox', { name: 'Answer the waiting message' });
    const choose = async (stage: string): Promise<unknown> => {
      const [request] = await Promise.all([
        page.waitForRequest('**/leads/set-status'),
        page.getByRole('menuitemradio', { name: stage }).click(),
      ]);
      return request.postDataJSON();
    };
    await stageButton(page).click();
    await tick.click();
    const move = { thread_id: id, status_id: second, expected_status_id: first };
    expect(await choose('В работе')).toEqual({ ...move, answer_pending_message: true });
    await page.getByRole('status').getByText('is in В работе now').waitFor();
    expect(await stageOf(id)).toBe(second);
    await stageButton(page).click();
    expect(await tick.getAttribute('aria-checked')).toBe('false');
    expect(await choose('Новая')).toEqual({ ...move, status_id: first, expected_status_id: second });
    await page.getByRole('status').getByText('is in Новая now').waitFor();

    // Where it stands, too.
    await stageButton(page).click();
    await tick.click();
    expect(await choose('Новая')).toEqual({ ...move, status_id: first, answer_pending_message: true });
    await page
      .getByRole('status')
      .getByText('The AI cannot answer the waiting message of Алия now.')
      .waitFor();
    scene.expectQuiet(page);
  });

  inChromium('renaming gives the focus back to its button', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    await withEarlyFrames(page);
    const rename = page.getByRole('button', { name: 'Rename' });
    await rename.press('Enter');
    await page.getByRole('textbox', { name: 'Name of the customer' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await rename.and(page.locator(':focus')).waitFor();
    scene.expectQuiet(page);
  });

  inChromium('shows who else looks and types', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    const colleague = await scene.person({ name: 'Берик' });
    const other = await scene.openDialog(id, { person: colleague });
    await page.locator('[data-presence]', { hasText: 'Берик looks at this too' }).waitFor();
    await partsOf(other).field.fill('пишу');
    await page.locator('[data-presence]', { hasText: 'Берик is typing …' }).waitFor();
    await other.close();
    await page.locator('[data-presence]').waitFor({ state: 'detached' });
  });

  inChromium('says why a person is asked for, until one has seen to it', async () => {
    const { id } = await scene.customer();
    await scene.kept.setFacts(
      id,
      `attention = 'model', attention_note = 'no answer within a minute', attention_since = clock_timestamp()`,
    );
    const page = await scene.openDialog(id);
    const bar = page.locator('[data-dialog-of] [data-attention=model]');
    await bar.getByText('The model failed').waitFor();
    await bar.getByText('no answer within a minute').waitFor();
    await bar.getByRole('button', { name: 'Done' }).click();
    await bar.waitFor({ state: 'detached' });
    await partsOf(page).happened('A person saw to it · Айгерим').waitFor();
  });

  inChromium('a dialog that is not there, or another account’s, says so, and leads back', async () => {
    const { id } = await scene.customer();
    const limited = await scene.person({ name: 'Без агентов', assistant_ids: [] });
    for (const [person, address] of [
      [scene.operator, 'thread_01930000-0000-7000-8005-00000000ffff'],
      [limited, id],
    ] as const) {
      const page = await scene.openAs(person, `/dialogs/${address}`);
      await page.getByRole('alert').getByText('There is no such dialog, or it is not yours.').waitFor();
      await page.getByRole('button', { name: 'To the board' }).click();
      await page.waitForURL((address) => !address.pathname.startsWith('/dialogs'));
      scene.expectQuiet(page, { refusals: true });
    }
  });

  inChromium('templates open with the focus in their search, and give it back, each time', async () => {
    const { id } = await scene.customer();
    await scene.addTemplate('order_ready', 'Здравствуйте, {{1}}! Заказ готов {{2}}.');
    const page = await scene.openDialog(id);
    for (let time = 1; time <= 2; time += 1) {
      await page.getByRole('button', { name: 'Templates' }).click();
      await page.getByRole('searchbox', { name: 'Find a template' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Tab');
      await page
        .getByRole('button', { name: /^order_ready/ })
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Templates' }).and(page.locator(':focus')).waitFor();
    }
    scene.expectQuiet(page);
  });
});

describe(`the switch of a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium('counts down by the server’s clock, where the browser’s is hours off', async () => {
    const id = (await scene.customer()).id;
    await scene.operator.session.call('messages/send-text', { thread_id: id, text: 'Добрый день' });
    const page = await scene.openAhead(scene.operator, `/dialogs/${id}`, 3);
    await partsOf(page)
      .words.filter({ hasText: /^You answer\. AI returns in (30:00|29:\d\d)$/ })
      .waitFor();
    scene.expectQuiet(page);
  });

  inChromium('shows on which side it is where the system sets the colours', async () => {
    const page = await scene.openDialog((await scene.customer()).id, { forcedColors: 'active' });
    const { switch: control, words } = partsOf(page);
    const colors = () =>
      page.evaluate<string[]>(`
        [document.querySelector('[role=switch]'), document.querySelector('[role=switch] *')]
          .map((part) => getComputedStyle(part).backgroundColor)
      `);
    const [track, whenOn] = await colors();
    expect(whenOn).not.toBe(track);
    await control.click();
    await words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    const [, whenOff] = await colors();
    expect([track, whenOn]).not.toContain(whenOff);
    scene.expectQuiet(page);
  });

  inChromium('takes a press before the one before is answered, and the last one counts', async () => {
    const id = (await scene.customer()).id;
    const page = await scene.openDialog(id);
    const { switch: control, words } = partsOf(page);
    const held = Promise.withResolvers<void>();
    await page.route('**/leads/set-ai', async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    await control.click();
    // The event has come, and the answer has not.
    await words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    await control.click();
    await page.locator('[role=switch][aria-checked=true]').waitFor();
    held.resolve();
    await words.filter({ hasText: /^AI answers$/ }).waitFor();
    expect((await scene.kept.thread(id)).ai_enabled).toBe(true);
    scene.expectQuiet(page);
  });
});
