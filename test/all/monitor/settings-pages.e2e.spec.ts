import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import type { MonitorPerson } from '../../support/scenes/monitor.scene';
import { setSettingsScene } from '../../support/scenes/settings.scene';

const scene = setSettingsScene({ stages: [{ name: 'New' }, { name: 'Paid', kind: 'success' }] });

let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

const PHONE = { viewport: { width: 360, height: 740 } };

describe(`the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('have their pages in a select on a phone, and nothing beside the screen', async () => {
    const page = await scene.openAs(admin, '/settings/assistants', PHONE);
    await page.getByRole('combobox', { name: 'Page of the settings' }).selectOption('stages');
    await page.waitForURL('**/settings/stages');
    await page.getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('button', { name: 'Back to the list' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    scene.expectQuiet(page);
  });

  inChromium('draw the borders of their controls as the theme has them for controls', async () => {
    const page = await scene.openAs(admin, '/settings/assistants?id=new');
    await page.getByRole('textbox', { name: 'Instructions' }).waitFor();
    const borders = await page.evaluate<boolean[]>(`(() => {
      const probe = document.createElement('i');
      probe.style.color = 'var(--ll-strong-line)';
      document.body.append(probe);
      const wanted = getComputedStyle(probe).color;
      probe.remove();
      // A box that is checked is filled with the accent.
      const controls = document.querySelectorAll('form :is(textarea, input:not([type=hidden], :checked))');
      return [...controls].map((each) => getComputedStyle(each).borderTopColor === wanted);
    })()`);
    expect(borders.length).toBeGreaterThan(5);
    expect(borders).not.toContain(false);
    scene.expectQuiet(page);
  });

  inChromium('begin every kind of new entry in its first field', async () => {
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

  inChromium('cover no button of a form by what they tell of it', async () => {
    const page = await scene.openAs(admin, '/settings/assistants?id=new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Seller');
    await page.getByRole('button', { name: 'Make the agent' }).click();
    const notice = await page.getByRole('status').getByText('The agent is made.').boundingBox();
    const button = await page.getByRole('button', { name: 'Save' }).boundingBox();
    if (!notice || !button) throw new Error('Both should be on the screen.');
    expect(notice.y + notice.height).toBeLessThanOrEqual(button.y);
    scene.expectQuiet(page);
  });

  inChromium('have no text smaller than 12 px in a form, hints and errors too', async () => {
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

  inChromium('lead by the list of pages to stages and scenarios of their own', async () => {
    const page = await scene.openAs(admin, '/settings/assistants?id=new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Агент ярмарки');
    await page.getByRole('button', { name: 'Make the agent' }).click();
    await page.getByRole('heading', { name: 'Агент ярмарки' }).waitFor();
    for (const name of ['Stages', 'Scenarios']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      const agent = page.getByLabel('Agent', { exact: true });
      expect(await agent.locator('option:checked').textContent()).toBe('Агент ярмарки');
    }
    scene.expectQuiet(page);
  });
});
