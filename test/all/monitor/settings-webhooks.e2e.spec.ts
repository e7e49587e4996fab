import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { copiedIn, WITH_CLIPBOARD } from '../../support/clients/page.clipboard';
import { eventually } from '../../support/eventually';
import { injected } from '../../support/faults/injected.faults';
import { ENDPOINT_TIMES, limits } from '../../support/programs/test.limits';
import type { MonitorPerson } from '../../support/scenes/monitor.scene';
import { setProviderSettingsScene } from '../../support/scenes/settings.scene';
import { ANSWERS, EndpointReceiver } from '../../support/stand-ins/endpoint.receiver';

const PATH = '/settings/webhooks';

// Addresses of this machine are called, as in the demo. What failed is tried again only when the test has it done.
const scene = setProviderSettingsScene({
  environment: {
    ...injected('on-this-machine'),
    ...ENDPOINT_TIMES,
    ...limits({ 'webhookRetries.retriesMs': [3_600_000] }),
  },
});
let admin: MonitorPerson;
let receiver: EndpointReceiver;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
  receiver = await EndpointReceiver.start();
});

afterAll(() => receiver?.stop());

/** An endpoint at the receiver, which takes renames only. @returns the path of its page */
async function endpoint(description: string): Promise<string> {
  const { body, text } = await scene.admin.call('admin/webhook-endpoints', {
    ...{ account_id: scene.account.id, url: receiver.url, events: ['lead.renamed'], description },
  });
  if (!body.ok) throw new Error(text);
  receiver.secret = String(body.data.secret);
  return `${PATH}?id=${String(body.data.id)}`;
}

/** Has an event happen that the endpoints take. */
async function rename(name: string): Promise<void> {
  const threadId = await scene.account.addThread();
  const { body, text } = await scene.api.call('leads/set-name', { thread_id: threadId, name });
  if (!body.ok) throw new Error(text);
}

const minutesAgo = (minutes: number): string => {
  const at = new Date(Date.now() - minutes * 60_000 - new Date().getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 16);
};

const deliveryOf = (page: Page, state: string) => page.locator(`[data-delivery-id][data-state=${state}]`);

describe(`endpoints in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium('show what is sent meanwhile, also where nothing that is shown waits', async () => {
    receiver.usual = ANSWERS.ok;
    const page = await scene.openAs(admin, await endpoint('Busy'));
    await page.getByLabel('State').selectOption('Delivered');
    await page.getByText('No delivery is in this state.').waitFor();
    await rename('Айгерим');
    await deliveryOf(page, 'delivered').getByText('A customer was renamed').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('say why no answer came in the page’s language, and show the request on demand', async () => {
    receiver.usual = ANSWERS.reset;
    const path = await endpoint('Quiet');
    await rename('Сауле');
    const page = await scene.openAs(admin, path, { ...WITH_CLIPBOARD, locale: 'ru-RU' });
    const delivery = deliveryOf(page, 'pending');
    await delivery.getByText('1 попытка').click();
    receiver.usual = ANSWERS.ok;
    await delivery.getByRole('cell', { name: 'Соединение оборвалось.' }).waitFor();
    expect(await delivery.innerText()).not.toContain('the connection broke');
    await delivery.getByText('Запрос', { exact: true }).click();
    await delivery.getByText(`POST ${receiver.url}`).waitFor();
    await delivery.getByText('webhook-signature: v1,…').waitFor();
    await delivery.getByText('"to": "Сауле"').waitFor();
    await delivery.getByRole('button', { name: 'Скопировать: Тело' }).click();
    await delivery.getByRole('button', { name: 'Скопировано: Тело' }).waitFor();
    expect(await copiedIn(page)).toBe(receiver.events.at(-1)?.body);
    scene.expectQuiet(page);
  });

  inChromium('are disabled and enabled, and sent what they have missed, which is counted', async () => {
    const path = await endpoint('Away');
    const page = await scene.openAs(await scene.person({ role: 'admin' }), `${path}&tab=settings`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page
      .getByRole('dialog', { name: 'Disable the endpoint?' })
      .getByRole('button', { name: 'Disable' })
      .click();
    await scene.confirm(page);
    await page.getByText(/nothing is sent there/).waitFor();
    await rename('Пропущена');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('status').getByText('The endpoint is enabled.').waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const before = receiver.events.length;
    await page.getByRole('button', { name: 'Send what was missed' }).click();
    const question = page.getByRole('dialog', { name: 'Send what was missed?' });
    await question.getByLabel('From').fill('2020-01-01T10:00');
    await question.getByText('Choose a time in the last 14 days.').waitFor();
    await question.getByLabel('From').fill(minutesAgo(10));
    await question.getByRole('button', { name: 'Send what was missed' }).click();
    const told = page.getByRole('status').getByText(/^\d+ events? (is|are) sent\.$/);
    const [count] = (await told.innerText()).split(' ');
    await deliveryOf(page, 'delivered')
      .nth(Number(count) - 1)
      .waitFor();
    const replayed = receiver.events.slice(before).filter(({ isReplay }) => isReplay);
    // An event may come more than once: its id is the same.
    expect(new Set(replayed.map(({ id }) => id)).size).toBe(Number(count));
    expect(new Set(replayed.map(({ type }) => type))).toEqual(new Set(['lead.renamed']));
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('change nothing but what was changed, get a new secret, and go for good', async () => {
    const path = await endpoint('Old shop');
    const page = await scene.openAs(await scene.person({ role: 'admin' }), `${path}&tab=settings`);
    const bodies = scene.bodiesOf(page, 'PATCH');
    await page.getByRole('checkbox', { name: 'A customer wrote' }).check();
    await page.getByLabel('At most so many requests a second').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await scene.confirm(page);
    await page.getByRole('status').getByText('The endpoint is changed.').waitFor();
    expect(bodies.at(-1)).toEqual({ events: ['lead.renamed', 'message.received'], max_per_second: 20 });
    await page.getByRole('button', { name: 'New secret' }).click();
    const question = page.getByRole('dialog', { name: 'Give the endpoint a new secret?' });
    await question.getByLabel('The old secret signs too for so many hours').fill('2');
    await question.getByRole('button', { name: 'New secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'The secret of the endpoint' });
    await dialog.getByText(/^The old secret signs too until/).waitFor();
    expect(await dialog.getByRole('group', { name: 'The secret' }).innerText()).not.toBe(receiver.secret);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete the endpoint?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('link', { name: /^Old shop/ }).waitFor({ state: 'detached' });
    const { rows } = await scene.database.pool.query(
      `SELECT 1 FROM webhook_endpoints WHERE description = 'Old shop'`,
    );
    expect(rows).toEqual([]);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('keep what a colleague has changed while something else was typed here', async () => {
    const path = await endpoint('Shared');
    const id = path.split('=')[1];
    const page = await scene.openAs(await scene.person({ role: 'admin' }), `${path}&tab=settings`);
    await page.getByLabel('Description').fill('Shared by two');
    const body = { url: `${receiver.url}/moved` };
    await scene.admin.admin('PATCH', `webhook-endpoints/${id}`, body);
    await page.getByText(body.url).first().waitFor();
    const bodies = scene.bodiesOf(page, 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await scene.confirm(page);
    await page.getByRole('status').getByText('The endpoint is changed.').waitFor();
    expect(bodies.at(-1)).toEqual({ description: 'Shared by two' });
    await eventually(
      async () => (await page.getByLabel('Address').inputValue()) === body.url,
      10_000,
      'the form does not show what the colleague has changed',
    );
    scene.expectQuiet(page, { refusals: true });
  });
});
