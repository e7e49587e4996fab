import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();
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

describe(`/runs (${CHROMIUM_NEEDED})`, () => {
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
