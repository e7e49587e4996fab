import { axeFaults } from '../support/clients/axe.checker';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';

const scene = setSettingsScene({ stages: [{ name: 'New' }, { name: 'Paid', kind: 'success' }] });

let admin: MonitorPerson;
let operator: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
  operator = await scene.person();
});

const PHONE = { viewport: { width: 360, height: 740 } };

describe(`the settings (${CHROMIUM_NEEDED})`, () => {
  inChromiumAtLength('lead an operator to the stages, which can be read and not changed', async () => {
    const page = await scene.openAs(operator, '/settings');
    await page.waitForURL('**/settings/stages');
    await page.getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Move up|New stage|Save|Archive/ }).count()).toBe(0);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('have their pages in a select on a phone, and nothing beside the screen', async () => {
    const page = await scene.openAs(admin, '/settings/assistants', PHONE);
    await page.getByRole('combobox', { name: 'Page of the settings' }).selectOption('stages');
    await page.waitForURL('**/settings/stages');
    await page.getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    scene.expectQuiet(page);
  });

  inChromium.each([
    ['light', 'en-GB'],
    ['dark', 'ru-RU'],
  ] as const)(
    'are for everybody in the %s theme, %s',
    async (colorScheme, locale) => {
      const page = await scene.openAs(admin, '/settings/assistants', { colorScheme, locale });
      const paths = [
        `/settings/assistants?id=${scene.account.assistantId}`,
        `/settings/assistants?id=${scene.account.assistantId}&tab=try`,
        `/settings/assistants?id=${scene.account.assistantId}&tab=tools&tool=new`,
        `/settings/stages?id=${scene.stage(0)}`,
        '/settings/scenarios?id=new',
      ];
      for (const path of paths) {
        await scene.go(page, path);
        await page.getByRole('main').locator('textarea:visible, input[type=text]:visible').first().waitFor();
        expect([path, await axeFaults(page)]).toEqual([path, []]);
      }
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromium('tell of what was done and of what is due on every screen, hostile names as text', async () => {
    await admin.session.call('admin/bots', { name: HOSTILE, assistant_id: scene.account.assistantId });
    await scene.expectFitForAll(admin, {
      '/settings/audit': { en: 'Audit log', ru: 'Журнал действий' },
      '/settings/work': { en: 'State of work', ru: 'Состояние работы' },
    });
  });

  inChromiumAtLength('draw the borders of their controls as the theme has them for controls', async () => {
    const page = await scene.openAs(admin, '/settings/assistants?id=new');
    await page.getByRole('textbox', { name: 'Instructions' }).waitFor();
    const borders = await page.evaluate<boolean[]>(`(() => {
      const probe = document.createElement('i');
      probe.style.color = 'var(--ll-strong-line)';
      document.body.append(probe);
      const wanted = getComputedStyle(probe).color;
      probe.remove();
      const controls = document.querySelectorAll('form :is(textarea, input:not([type=hidden]))');
      return [...controls].map((each) => getComputedStyle(each).borderTopColor === wanted);
    })()`);
    expect(borders.length).toBeGreaterThan(5);
    expect(borders).not.toContain(false);
    scene.expectQuiet(page);
  });

  inChromium('begin a new entry in its first field, and keep the focus when it is made', async () => {
    const page = await scene.openAs(admin, '/settings/assistants');
    await page.getByRole('button', { name: 'New agent' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('By keys');
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('By keys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keys' }).and(page.locator(':focus')).waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('begin every kind of new entry in its first field', async () => {
    const page = await scene.openAs(admin, '/settings/assistants');
    const typed: string[] = [];
    for (const [name, button] of [
      ['Bots and numbers', 'New bot'],
      ['API keys', 'Issue a key'],
      ['People', 'Invite'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('button', { name: button }).click();
      await page.locator('input:focus').waitFor();
      typed.push(await page.evaluate<string>('document.activeElement.labels[0].textContent'));
    }
    expect(typed).toEqual(['Name *', 'Name *', 'Name *']);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('cover no button of a form by what they tell of it', async () => {
    const page = await scene.openAs(admin, '/settings/assistants?id=new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Seller');
    await page.getByRole('button', { name: 'Make the agent' }).click();
    const notice = await page.getByRole('status').getByText('The agent is made.').boundingBox();
    const button = await page.getByRole('button', { name: 'Save' }).boundingBox();
    if (!notice || !button) throw new Error('Both should be on the screen.');
    expect(notice.y + notice.height).toBeLessThanOrEqual(button.y);
    scene.expectQuiet(page);
  });

  inChromiumAtLength('have no text smaller than 12 px in a form, hints and errors too', async () => {
    const page = await scene.openAs(admin, '/settings/assistants?id=new');
    await page.getByRole('button', { name: 'Make the agent' }).click();
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator('[aria-invalid=true]')).waitFor();
    const small = await page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
      .filter((each) => [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
      .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 12)
      .map((each) => each.textContent)`);
    expect(small).toEqual([]);
    expect(await page.locator('main form p').count()).toBeGreaterThan(5);
    scene.expectQuiet(page);
  });
});
