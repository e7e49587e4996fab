import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { partsOf, setDialogScene } from './dialog.scene';

const scene = setDialogScene({
  stages: [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Только люди', aiEnabled: false }],
});
const LANGUAGES = [
  ['en', 'en-GB'],
  ['ru', 'ru-RU'],
] as const;

/** Each state of a dialog, how it comes about, and the sentence for it. */
const STATES: [string, (id: string) => Promise<unknown>, boolean, string | RegExp, string | RegExp][] = [
  ['on', () => Promise.resolve(), true, 'AI answers', 'Отвечает ИИ'],
  [
    'a takeover of one’s own',
    (id) => scene.operator.session.call('messages/send-text', { thread_id: id, text: 'Добрый день' }),
    true,
    /^You answer\. AI returns in (30:00|29:\d\d)$/,
    /^Отвечаете вы\. ИИ вернётся через (30:00|29:\d\d)$/,
  ],
  [
    'a takeover of a colleague',
    async (id) => {
      const { session } = await scene.person({ name: 'Берик' });
      await session.call('messages/send-text', { thread_id: id, text: 'Добрый день' });
    },
    true,
    /^Берик answers\. AI returns in (30:00|29:\d\d)$/,
    /^Отвечает Берик\. ИИ вернётся через (30:00|29:\d\d)$/,
  ],
  [
    'off',
    (id) => scene.operator.session.call('leads/set-ai', { thread_id: id, ai_enabled: false }),
    false,
    'AI is off until switched on',
    'ИИ выключен, пока его не включат',
  ],
  [
    'off in a takeover',
    async (id) => {
      await scene.operator.session.call('messages/send-text', { thread_id: id, text: 'Добрый день' });
      await scene.operator.session.call('leads/set-ai', { thread_id: id, ai_enabled: false });
    },
    false,
    'AI is off until switched on',
    'ИИ выключен, пока его не включат',
  ],
  [
    'opted out',
    (id) => scene.says(phoneOf.get(id)!, 'STOP'),
    false,
    'Unsubscribed: nobody may write but by an approved template',
    'Клиент отписался: писать можно только одобренным шаблоном',
  ],
  [
    'a stage at which the agent is silent',
    (id) =>
      scene.operator.session.call('leads/set-status', { thread_id: id, status_id: scene.account.stages[2] }),
    true,
    'AI is silent at this stage: you answer',
    'На этом этапе ИИ молчит: отвечаете вы',
  ],
  [
    'erased',
    (id) => scene.admin.call(`admin/threads/${id}/erase`, {}),
    false,
    'This customer was erased',
    'Данные этого клиента удалены',
  ],
];

const phoneOf = new Map<string, string>();

async function customer(): Promise<string> {
  const { id, phone } = await scene.customer();
  phoneOf.set(id, phone);
  return id;
}

describe(`the switch of a dialog (${CHROMIUM_NEEDED})`, () => {
  for (const [language, locale] of LANGUAGES)
    inChromium.each(STATES)(
      `says in ${language} who answers: %s`,
      async (name, set, isOn, english, russian) => {
        const id = await customer();
        await set(id);
        const page = await scene.openDialog(id, { locale });
        const { switch: control, words } = partsOf(page);
        const sentence = language === 'en' ? english : russian;
        await words.filter({ hasText: sentence }).waitFor();
        if (typeof sentence === 'string') expect(await words.textContent()).toBe(sentence);
        expect(await control.count()).toBe(1);
        expect(
          await page.getByRole('switch', { name: language === 'en' ? 'AI answers' : 'ИИ отвечает' }).count(),
        ).toBe(1);
        if (name !== 'erased') expect(await control.getAttribute('aria-checked')).toBe(String(isOn));
        scene.expectQuiet(page);
      },
    );

  inChromium('counts down by the server’s clock, where the browser’s is hours off', async () => {
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

  inChromium('shows on which side it is where the system sets the colours', async () => {
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

  inChromium('takes a press before the one before is answered, and the last one counts', async () => {
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

  inChromium('says before it is switched on what becomes of the message that waits', async () => {
    const id = await customer();
    await scene.operator.session.call('leads/set-ai', { thread_id: id, ai_enabled: false });
    const page = await scene.openDialog(id);
    const forecast = page.locator('[data-switch-forecast=answers]');
    expect(await forecast.textContent()).toBe('When you switch it on, AI answers the message that waits.');
    const described = await partsOf(page).switch.getAttribute('aria-describedby');
    expect(described).toBe(await forecast.getAttribute('id'));
    await scene.operator.session.call('leads/set-status', {
      ...{ thread_id: id, status_id: scene.account.stages[2] },
    });
    await page.locator('[data-switch-forecast=muted]').waitFor();
  });

  inChromium('ends a takeover at once where that is asked for', async () => {
    const id = await customer();
    const page = await scene.openDialog(id);
    const { words } = partsOf(page);
    await scene.operator.session.call('messages/send-text', { thread_id: id, text: 'Добрый день' });
    await words.filter({ hasText: 'You answer.' }).waitFor();
    await page.getByRole('button', { name: 'Return to AI now' }).click();
    await words.filter({ hasText: /^AI answers$/ }).waitFor();
    expect((await scene.kept.thread(id)).takeover).toBe(false);
  });
});
