import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { HTML, image, PDF, SVG } from '../support/media.samples';
import { uuidOf } from '../support/database/thread.uuid';
import { extend } from '../support/scenes/base.scene';
import { folderFor } from '../support/scenes/media.scene';
import { sceneOf } from '../support/scenes/scene.opening';
import { FileAndSendProvider } from '../support/stand-ins/file-and-send.provider';
import { ask, makeDialogScene, partsOf } from './dialog.scene';

/** With a provider of files. Its stand-ins know its account. */
function makeFilesScene() {
  let both: FileAndSendProvider;

  const scene = extend(makeDialogScene({ ownServer: true }), {
    get both(): FileAndSendProvider {
      return both;
    },
  });

  scene.withStandIns(async () => {
    both = await FileAndSendProvider.start();
    scene.whenClosed(() => both.stop());
    return { ...both.environment, MEDIA_DIR: await folderFor(scene) };
  });
  return scene;
}

const scene = sceneOf(makeFilesScene).set();
let files = 0;

/** Half a second of MP3 that a browser can play. */
const SILENCE = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
  ...Array.from({ length: 20 }, () =>
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]),
  ),
]);

/** A customer sends a file. */
async function sends(
  phone: string,
  type: string,
  bytes: Buffer,
  mimeType: string,
  further: object = {},
): Promise<void> {
  const file = `file-${(files += 1)}`;
  scene.both.has(file, bytes, mimeType);
  await scene.says(phone, { type, [type]: { id: file, mime_type: mimeType, ...further } });
}

describe(`files in a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'shows pictures at their size, plays sounds, offers everything else for download, and runs nothing: HTML, SVG',
    async () => {
      const { id, phone } = await scene.customer();
      const page = await scene.openDialog(id);
      await sends(phone, 'image', await image('png', 400, 300), 'image/png', { caption: 'Фото' });
      await sends(phone, 'audio', SILENCE, 'audio/mpeg');
      await sends(phone, 'document', PDF, 'application/pdf', { filename: 'договор.pdf' });
      const { message } = partsOf(page);
      const picture = message('Фото').locator('img');
      await picture.waitFor();
      expect(await ask(picture, (img) => [img.width, img.height])).toEqual([280, 210]);
      await page.locator('article audio[controls]').waitFor();
      const link = page.getByRole('link', { name: 'Download договор.pdf' });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toBe('договор.pdf');
      await link.getByText('application/pdf').waitFor();

      await sends(phone, 'image', HTML, 'image/png');
      await sends(phone, 'document', SVG, 'image/svg+xml', { filename: 'рисунок.svg' });
      const svg = page.getByRole('link', { name: 'Download рисунок.svg' });
      await svg.waitFor();
      await page
        .getByRole('link', { name: /^Download/ })
        .nth(2)
        .waitFor();
      expect(await page.locator('article :is(iframe, object, embed, video)').count()).toBe(0);
      expect(await page.locator('article', { hasNotText: 'Фото' }).locator('img').count()).toBe(0);
      const [drawing] = await Promise.all([page.waitForEvent('download'), svg.click()]);
      expect(drawing.suggestedFilename()).toBe('рисунок.svg');
      expect(await page.title()).not.toBe('ran');
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('says what kind of message it cannot show, in the dialog and on the card', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id, { locale: 'ru' });
    const errors = [{ code: 131051, title: 'Message type unknown' }];
    await scene.says(phone, { type: 'unsupported', errors });
    await partsOf(page).message('Сообщение, которое здесь не показать (Message type unknown)').waitFor();
    const card = page.locator(`[role=listitem][data-thread-id="${id}"]`);
    await card.getByText('Сообщение, которое нельзя показать: Message type unknown').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('says of a file that it is on its way, did not come, or was deleted', async () => {
    const { id, phone } = await scene.customer();
    await sends(phone, 'document', PDF, 'application/pdf', { filename: 'счёт.pdf' });
    const page = await scene.openDialog(id);
    await page.getByRole('link', { name: 'Download счёт.pdf' }).waitFor();
    for (const [state, words] of [
      ['loading', 'The file is on its way'],
      ['failed', 'The file did not come'],
      ['gone', 'The file was deleted'],
    ]) {
      await scene.database.pool.query(
        `UPDATE media SET state = $1, sha256 = NULL, size = NULL, due_at = clock_timestamp() + interval '1 hour',
                provider_ref = 'later'
          WHERE id = (SELECT media_id FROM messages WHERE thread_id = $2 AND media_id IS NOT NULL)`,
        [state, uuidOf(id)],
      );
      await page.reload();
      await page
        .locator(`[data-media-state=${state}]`)
        .getByText(words ?? '')
        .waitFor();
      expect(await page.getByRole('link', { name: 'Download счёт.pdf' }).count()).toBe(0);
    }
  });

  inChromium('uploads what is chosen, dropped or pasted, and sends it with its text', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id);
    const { field, message, send } = partsOf(page);
    const attached = page.getByRole('group', { name: 'Attached file' });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'цены.pdf', mimeType: 'application/pdf', buffer: PDF });
    await attached.and(page.locator('[data-uploaded=true]')).getByText('цены.pdf').waitFor();
    await field.fill('Наши цены');
    await field.press('Enter');
    await message('Наши цены').and(page.locator('[data-status=sent]')).waitFor();
    await message('Наши цены').getByRole('link', { name: 'Download цены.pdf' }).waitFor();
    expect(await attached.count()).toBe(0);
    expect(scene.both.sends.sendsTo(`+${phone}`).map(({ body }) => body.type)).toEqual(['document']);

    const png = (await image('png')).toString('base64');
    const give = (kind: 'drop' | 'paste'): Promise<unknown> =>
      page.evaluate(`{
        const files = new DataTransfer();
        const bytes = Uint8Array.from(atob('${png}'), (sign) => sign.charCodeAt(0));
        files.items.add(new File([bytes], '${kind}.png', { type: 'image/png' }));
        const options = { bubbles: true, cancelable: true };
        document.querySelector('textarea').dispatchEvent('${kind}' === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: files })
          : new ClipboardEvent('paste', { ...options, clipboardData: files }));
      }`);
    await give('drop');
    await attached.and(page.locator('[data-uploaded=true]')).getByText('drop.png').waitFor();
    await page.waitForFunction(`document.querySelector('[data-uploaded=true] img')?.naturalWidth > 0`);
    await page.getByRole('button', { name: 'Remove drop.png' }).click();
    await attached.waitFor({ state: 'detached' });
    await give('paste');
    await attached.and(page.locator('[data-uploaded=true]')).getByText('paste.png').waitFor();
    await send.click();
    await page.locator('article[data-role=OPERATOR] img').waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('refuses a file that the messenger would not take, before it is uploaded', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    const uploads: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('upload-media')) uploads.push(request.url());
    });
    const give = (name: string, size: number): Promise<void> =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.alloc(size) });
    await give('большое.png', 5 * 2 ** 20 + 1);
    await page.getByRole('alert').getByText('большое.png is larger than 5 MB').waitFor();
    await give('пустое.png', 0);
    await page.getByRole('alert').getByText('пустое.png is empty.').waitFor();
    expect(uploads).toEqual([]);
    const { rows } = await scene.database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM messages WHERE thread_id = $1 AND role = 'OPERATOR'`,
      [uuidOf(id)],
    );
    expect(rows[0]?.n).toBe(0);
  });
});
