import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { partsOf, setDialogScene } from './dialog.scene';

const scene = setDialogScene({
  stages: [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Только люди', aiEnabled: false }],
});
const customer = async (): Promise<string> => (await scene.customer()).id;

describe(`the switch of a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromiumAtLength('counts down by the server’s clock, where the browser’s is hours off', async () => {
    const id = await customer();
    await scene.operator.session.call('messages/send-text', { thread_id: id, text: 'Добрый день' });
    const page = await scene.openAhead(scene.operator, `/dialogs/${id}`, 3);
    await partsOf(page)
      .words.filter({ hasText: /^You answer\. AI returns in (30:00|29:\d\d)$/ })
      .waitFor();
    scene.expectQuiet(page);
  });

  inChromium('changes live, whoever switches, and by the key A', async () => {
    const id = await customer();
    const page = await scene.openDialog(id);
    const { switch: control, words, happened } = partsOf(page);
    await control.click();
    await words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    expect(await control.getAttribute('aria-checked')).toBe('false');
    expect((await scene.kept.thread(id)).ai_enabled).toBe(false);
    await happened('AI was switched off · Айгерим').waitFor();
    await scene.operator.session.call('leads/set-ai', { thread_id: id, ai_enabled: true });
    await words.filter({ hasText: /^AI answers$/ }).waitFor();
    await page.locator('[role=log]').focus();
    await page.keyboard.press('KeyA');
    await words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    await page.locator('[role=switch][aria-checked=false]').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('shows on which side it is where the system sets the colours', async () => {
    const page = await scene.openDialog(await customer(), { forcedColors: 'active' });
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

  inChromiumAtLength('takes a press before the one before is answered, and the last one counts', async () => {
    const id = await customer();
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
