import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();
let admin: MonitorPerson;
let operator: MonitorPerson;
let threadId: string;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
  operator = await scene.person();
  const scenario = await scene.admin.call('admin/scenarios', {
    ...{ account_id: scene.account.id, name: 'Remind', assistant_id: scene.account.assistantId },
    ...{ status_id: scene.stage(1), state: 'on', steps: [{ kind: 'wait', seconds: 86_400 }] },
  });
  expect(scenario.text).toContain('"ok":true');
  threadId = await scene.account.addThread();
  await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(1) });
});

describe(`/runs (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows a run with its steps, and an operator nothing that stops it', async () => {
    const page = await scene.openAs(operator, '/runs');
    await page.getByRole('button', { name: /Remind/ }).click();
    await page.getByRole('list', { name: 'Steps' }).getByText('Wait', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop this run' }).count()).toBe(0);
    scene.expectQuiet(page);
  });

  inChromium('says whose run it is', async () => {
    const lead = await scene.api.call('leads/get-lead', { thread_id: threadId });
    const { phone } = lead.body.data as { phone: string };
    const page = await scene.openAs(operator, `/runs?thread_id=${threadId}`);
    await page.getByRole('button', { name: /Remind/ }).click();
    const said = page.getByText('Customer:');
    await said.waitFor();
    expect((await said.innerText()).replace(/[^+\d]/g, '')).toBe(phone);
    scene.expectQuiet(page);
  });

  inChromium('keeps its filter in the address, and says that nothing passes it', async () => {
    const page = await scene.openAs(operator, '/runs?state=failed');
    await page.getByText('No run passes this filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('button', { name: /Remind/ }).waitFor();
    scene.expectQuiet(page);
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

  inChromium('asks before a run begins once more, for its customer gets everything again', async () => {
    const page = await scene.openAs(admin, `/runs?thread_id=${threadId}`);
    await page.getByRole('button', { name: /Remind/ }).click();
    await page.getByRole('button', { name: 'Stop this run' }).click();
    await page.getByRole('button', { name: 'Once more from the first step' }).click();
    const question = page.getByRole('dialog', { name: 'Once more from the first step' });
    await question.getByText('What was sent already is sent again.').waitFor();
    await question.getByRole('button', { name: 'Once more from the first step' }).click();
    await page.getByRole('status').getByText('The run goes on.').waitFor();
    await page.getByRole('link', { name: 'Open the dialog' }).and(page.locator(':focus')).waitFor();
    scene.expectQuiet(page);
  });
});
