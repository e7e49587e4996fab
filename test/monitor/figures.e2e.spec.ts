import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();
let person: MonitorPerson;

beforeAll(async () => {
  person = await scene.person();
  const threads = await Promise.all(Array.from({ length: 3 }, () => scene.account.addThread()));
  for (const thread of threads) {
    const moved = await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(1) });
    expect(moved.body.ok).toBe(true);
  }
});

const figure = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** A table as text, row by row. */
async function tableOf(page: Page, name: string): Promise<string[][]> {
  const plot = figure(page, name);
  await plot.getByText('As a table').click();
  const rows = await plot.locator('tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

describe(`/figures (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'gives the numbers of get-funnel-figures, as CSV and as a table, and leads from a mark to those whom it counts',
    async () => {
      const page = await scene.openAs(person, `/figures?assistant=${scene.account.assistantId}`);
      const saved = page.waitForEvent('download');
      await figure(page, 'Funnel').getByRole('button', { name: 'Download CSV' }).click();
      const text = await readFile(await (await saved).path(), 'utf8');
      expect(text.split('\r\n')[0]).toBe('\uFEFFStage,There now,Leads,Success,Conversion,Entries,Departures');

      await figure(page, 'Funnel').locator('a').first().click();
      await page.waitForURL((address) => address.pathname === scene.boardPath);
      const cards = page.locator('[role=listitem][data-thread-id]');
      await cards.first().waitFor();
      const stageId = new URL(page.url()).searchParams.get('stage');
      expect(await cards.count()).toBe(
        await page.locator(`[data-status-id="${stageId}"] [data-thread-id]`).count(),
      );
      await page.getByRole('button', { name: /^Only the stage/ }).click();
      await page.waitForURL((address) => address.search === '');

      await page.evaluate(`history.pushState({}, '', '/figures?assistant=${scene.account.assistantId}')`);
      const [head = [], ...rows] = await tableOf(page, 'Funnel');
      const stage = rows.find(
        (row) => row[head.indexOf('Now')] === '3' || row[head.indexOf('There now')] === '3',
      );
      expect(stage?.[head.indexOf('Leads')]).toBe('3');
      expect(stage?.[head.indexOf('Entries')]).toBe('3');
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('counts its days by the server’s clock, where the browser’s is weeks off', async () => {
    const page = await scene.openAhead(person, `/figures?assistant=${scene.account.assistantId}`, 40 * 24);
    const [head = [], ...rows] = await tableOf(page, 'Funnel');
    expect(rows.map((row) => row[head.indexOf('Entries')])).toContain('3');
    scene.expectQuiet(page);
  });

  inChromiumAtLength('keeps its span in the address, and says that one is too long', async () => {
    const page = await scene.openAs(person, '/figures?span=90');
    await page.getByRole('combobox', { name: 'Span' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Span' }).inputValue()).toBe('Last 90 days');
    await scene.go(page, '/figures?from=2020-01-01&to=2026-01-01');
    await page.getByRole('alert').getByText('The end must be after the beginning').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength(
    'names every stage at its bars, however long the names are, on a phone too',
    async () => {
      const names = Array.from({ length: 9 }, (_, index) => `Waiting for the documents ${index + 1}`);
      await scene.account.addStages(
        scene.account.assistantId,
        names.map((name) => ({ name })),
      );
      const page = await scene.openAs(person, `/figures?assistant=${scene.account.assistantId}`);
      const ticks = figure(page, 'Funnel').locator('.recharts-xAxis-tick-labels text');
      await ticks.first().waitFor();
      const drawn = await ticks.count();
      await page.setViewportSize({ width: 360, height: 780 });
      const beside = figure(page, 'Funnel').locator('.recharts-yAxis-tick-labels text');
      await eventually(async () => (await beside.count()) === drawn, 10_000, 'the bars do not lie');
      // Each plot learns its width by itself.
      const fits = async (): Promise<boolean> =>
        (await page.evaluate('document.documentElement.scrollWidth')) === 360;
      await eventually(fits, 10_000, 'the page is wider than the window');
      const [, ...rows] = await tableOf(page, 'Funnel');
      expect(rows.length).toBeGreaterThanOrEqual(names.length);
      expect(drawn).toBe(rows.length);
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('says in words of each plot that nothing happened', async () => {
    const page = await scene.openAs(person, `/figures?assistant=${await scene.account.addAssistant()}`);
    for (const name of ['Funnel', 'Time in the stage', 'Agent and people', 'Answer times'])
      await figure(page, name).getByText('Nothing happened in this span.').waitFor();
    scene.expectQuiet(page);
  });
});

describe(`/runs (${CHROMIUM_NEEDED})`, () => {
  let admin: MonitorPerson;
  let threadId: string;

  beforeAll(async () => {
    admin = await scene.person({ role: 'admin' });
    const scenario = await scene.admin.call('admin/scenarios', {
      ...{ account_id: scene.account.id, name: 'Remind', assistant_id: scene.account.assistantId },
      ...{ status_id: scene.stage(1), state: 'on', steps: [{ kind: 'wait', seconds: 86_400 }] },
    });
    expect(scenario.text).toContain('"ok":true');
    threadId = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(1) });
  });

  inChromium('lets an admin stop a run, and have it go on', async () => {
    const page = await scene.openAs(admin, `/runs?thread_id=${threadId}`);
    await page.getByRole('button', { name: /Remind/ }).click();
    await page.getByRole('button', { name: 'Stop this run' }).press('Enter');
    await page.getByRole('status').getByText('The run is stopped.').waitFor();
    await page.getByText('a person stopped it').waitFor();
    // The button has gone. What stands beside it has the focus.
    await page.getByRole('link', { name: 'Open the dialog' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Go on where it ended' }).click();
    await page.getByRole('status').getByText('The run goes on.').waitFor();
    await page.getByRole('button', { name: 'Stop this run' }).waitFor();
    scene.expectQuiet(page);
  });
});
