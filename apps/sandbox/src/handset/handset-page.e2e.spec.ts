import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, openChromium } from '../../../../test/support/clients/chromium.browser';
import { CLOUD, cloudBody, GUPSHUP, setSandboxScene } from '../../../../test/support/scenes/sandbox.scene';
import { inTime } from '../../../../test/support/eventually';

const PHONE = '+77010000001';
const HOSTILE = '<img src=x onerror="window.hacked=1">';

const scene = setSandboxScene({ readAfterMs: null });
/** One for all tests: the handset's page keeps nothing in the browser. */
let page: Page;
/** What the page reported: refused scripts and styles, errors. */
let complaints: string[] = [];

beforeAll(async () => {
  const browser = await openChromium();
  if (!browser) return;
  page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});

beforeEach(async () => {
  await page?.setViewportSize({ width: 1280, height: 860 });
  complaints = [];
});

afterEach(() => page?.goto('about:blank'));

afterAll(() => page?.close());

const handset = (query = ''): Promise<unknown> => page.goto(`${scene.sandbox.url}/handset${query}`);
const untilText = async (selector: string, text: string): Promise<void> =>
  page.locator(selector, { hasText: text }).first().waitFor();

describe(`the handset (${CHROMIUM_NEEDED})`, () => {
  inChromium('shows a template with its values, lets it be read and answered, and shows typing', async () => {
    await handset();
    await scene.cloud(cloudBody(PHONE, { biz_opaque_callback_data: 'page-1' }));
    await page.locator(`.chat[data-phone="${PHONE}"]`).click();
    await untilText('.bubble', 'Здравствуйте, Айгуль! Ждём вас завтра.');
    await untilText('.bubble .header', 'Запись');
    await untilText('.meta', 'Read');
    await scene.receiver.until(
      () => scene.receiver.statuses('page-1').some(({ status }) => status === 'read'),
      'the state read',
    );
    expect(await page.locator('.buttons a').getAttribute('href')).toBe('https://example.com/m');

    await page.getByRole('button', { name: 'Приду' }).click();
    await untilText('.own', 'Приду');
    await page.getByLabel('Message to the business').fill('STOP');
    await page.keyboard.press('Enter');
    await untilText('.own', 'STOP');
    const inbound = await scene.receiver.until(() => {
      const messages = scene.receiver
        .changes()
        .flatMap(({ value }) => (value.messages ?? []) as { id: string; type: string }[]);
      return messages.length === 2 && messages;
    }, 'two messages of the customer');
    expect(inbound.map(({ type }) => type)).toEqual(['button', 'text']);

    const read = { messaging_product: 'whatsapp', status: 'read', message_id: inbound[1]?.id };
    await scene.cloud({ ...read, typing_indicator: { type: 'text' } });
    await page.locator('.typing').waitFor();
    await untilText('.own', 'Read by the business');
    await scene.cloud({ messaging_product: 'whatsapp', to: PHONE, type: 'text', text: { body: 'Хорошо' } });
    await untilText('.message', 'Хорошо');
    expect(await page.locator('.typing').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  inChromium('shows whose phone it is, and a business’s numbers apart, as the other side', async () => {
    const address = { sender: CLOUD.sender, phone: '+77010000005' };
    scene.sandbox.recall({ templates: [], customers: [{ ...address, name: 'Асель', wroteAt: null }] });
    await handset(`?sender=${CLOUD.sender}&phone=${address.phone.slice(1)}`);
    await untilText('#you', 'You are Асель, +7 701 000 00 05');
    await untilText('#chat-title', CLOUD.name);
    await untilText('#chat-subtitle', '+7 727 000 00 01 · Cloud API');
    await untilText('#number-phone', '+7 727 000 00 01');
    expect(await page.locator('#number option').allTextContents()).toEqual([
      'Aurora Clinic · Cloud API',
      'Aurora Clinic · Gupshup',
    ]);
    await page.getByLabel('Business number').selectOption(GUPSHUP.sender);
    await untilText('#number-phone', '+7 727 000 00 02');
    expect(complaints).toEqual([]);
  });

  inChromium(
    'opens the chat that is pressed, though news come before it is let go, and shows news after a menu',
    async () => {
      const address = { sender: CLOUD.sender, phone: '+77010000008' };
      scene.sandbox.customer.write({ ...address, text: 'Сәлем' });
      await handset();
      const line = page.locator(`.chat[data-phone="${address.phone}"]`);
      await line.hover();
      await page.mouse.down();
      // Hears what the page hears, and gives it time to draw.
      await page.evaluate(`
      const feed = new EventSource('/handset/events');
      const heard = (word) => () => setTimeout(() => (document.body.dataset.heard = word), 50);
      feed.addEventListener('joined', heard('nothing'));
      feed.addEventListener('chats', heard('news'));`);
      await page.locator('body[data-heard=nothing]').waitFor();
      scene.sandbox.customer.write({ ...address, text: 'Бос уақыт бар ма?' });
      await page.locator('body[data-heard=news]').waitFor();
      await page.mouse.up();
      await untilText('.own', 'Бос уақыт бар ма?');
      await untilText(`.chat[data-phone="${address.phone}"] .last`, 'Бос уақыт бар ма?');
      // Some browsers tell of the press alone: their menu has the release.
      await line.dispatchEvent('pointerdown', { button: 2, bubbles: true });
      scene.sandbox.customer.write({ ...address, text: 'Рақмет' });
      await untilText(`.chat[data-phone="${address.phone}"] .last`, 'Рақмет');
    },
  );

  inChromium('shows what people write as text, never as markup', async () => {
    const address = { sender: CLOUD.sender, phone: '+77010000002' };
    scene.sandbox.customer.write({ ...address, name: HOSTILE, text: HOSTILE });
    await scene.cloud({
      messaging_product: 'whatsapp',
      to: address.phone,
      type: 'text',
      text: { body: HOSTILE },
    });
    await handset(`?sender=${CLOUD.sender}&phone=${address.phone.slice(1)}`);
    await untilText('.own .words', HOSTILE);
    await untilText('.message:not(.own) .words', HOSTILE);
    await untilText('.chat .title', HOSTILE);
    expect(await page.evaluate('document.images.length + (window.hacked ?? 0)')).toBe(0);
    expect(complaints).toEqual([]);
  });

  inChromium('sends and shows files of every kind, each where it can be opened', async () => {
    const address = { sender: CLOUD.sender, phone: '+77010000006' };
    for (const kind of ['image', 'video', 'audio', 'voice', 'document', 'sticker'])
      scene.sandbox.customer.write({ ...address, file: { kind } });
    await handset(`?sender=${CLOUD.sender}&phone=${address.phone.slice(1)}`);
    await page.locator('.bubble img.picture').waitFor();
    await page.waitForFunction('[...document.images].every(({ naturalWidth }) => naturalWidth > 0)');
    expect(await page.locator('.bubble img.sticker').count()).toBe(1);
    await page.waitForFunction("document.querySelector('video').videoWidth > 0");
    await page.waitForFunction(
      "[...document.querySelectorAll('audio')].every(({ duration }) => duration > 0)",
    );
    await untilText('.bubble a.document', 'document.pdf');
    expect(await page.locator('.bubble .media').allTextContents()).toEqual(['Voice message']);

    await page.getByLabel('Message to the business').fill('Счёт');
    await page
      .getByLabel('File to send')
      .setInputFiles({ name: 'счёт.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
    await untilText('.own .bubble', 'Счёт');
    const sent = await scene.receiver.until(
      () =>
        scene.receiver
          .changes()
          .flatMap(({ value }) => (value.messages ?? []) as { document?: object }[])
          .findLast(({ document }) => document),
      'the document',
    );
    expect(sent.document).toMatchObject({
      filename: 'счёт.pdf',
      caption: 'Счёт',
      mime_type: 'application/pdf',
    });
    expect(complaints).toEqual([]);
  });

  inChromium('lets a new customer write first, and tells why a phone is none', async () => {
    await handset();
    await page.getByRole('button', { name: 'New' }).click();
    await page.getByLabel('Phone', { exact: true }).fill('12');
    await page.getByRole('button', { name: 'Open chat' }).click();
    await untilText('#new-error', 'country code');
    await page.getByLabel('Phone', { exact: true }).fill('+7 701 000 00 03');
    await page.getByLabel('Name', { exact: true }).fill('Тимур');
    await page.getByRole('button', { name: 'Open chat' }).click();
    await page.getByLabel('Message to the business').fill('Сколько стоит?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await untilText('.chat', 'Тимур');
    await scene.receiver.until(
      () => scene.receiver.changes().some(({ value }) => value.contacts?.[0]?.profile?.name === 'Тимур'),
      'the message of the new customer',
    );
  });

  inChromium('lists 500 customers within five seconds, and finds one of them', async () => {
    for (let index = 0; index < 500; index += 1)
      scene.sandbox.customer.write({
        sender: CLOUD.sender,
        phone: `+77013${String(index).padStart(6, '0')}`,
        text: 'x',
      });
    const begun = performance.now();
    await handset();
    await page.locator('.chat').nth(499).waitFor({ state: 'attached' });
    expect(performance.now() - begun).toBeLessThan(inTime(5_000));
    await page.getByLabel('Find a customer').fill('701 300 01 23');
    await page.waitForFunction("document.querySelectorAll('.chat').length === 1");
    await untilText('.chat', '+7 701 300 01 23');
  });

  inChromium('fits a screen of 360 pixels, one view at a time', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await scene.cloud(cloudBody('+77010000004'));
    await handset();
    await page.locator('.chat[data-phone="+77010000004"]').click();
    await untilText('.bubble', 'Ждём вас завтра');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await page.locator('.customers').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to the customers' }).click();
    expect(await page.locator('.customers').isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

it('the page admits only its own scripts and styles', async () => {
  const answer = await fetch(`${scene.sandbox.url}/handset`);
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  expect(await answer.text()).not.toMatch(/<script>|<style>| style=| on[a-z]+=/);
});
