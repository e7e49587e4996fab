import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { untilTaken } from '../support/faults/held.webhooks';
import type { SceneOptions } from '../support/scenes/lead.scene';
import { MonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';
import { CloudNumber, cloudBody, postCloud, type Change } from '../support/stand-ins/cloud.webhooks';
import { FileAndSendProvider } from '../support/stand-ins/file-and-send.provider';

let phones = 77_015_600_000;

/** A monitor whose customers write by a number, and whose answers go out by it. */
export class DialogScene extends MonitorScene {
  provider: FileAndSendProvider;
  number: CloudNumber;
  operator: MonitorPerson;
  private folder: string;

  override async start(): Promise<void> {
    await super.start();
    this.number = new CloudNumber(await this.account.connect());
    this.operator = await this.person({ name: 'Айгерим' });
  }

  /** What Meta tells, as soon as it is in the dialogs. */
  async tell(...changes: Change[]): Promise<void> {
    const { status, text } = await postCloud(this.server, cloudBody(changes));
    if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
    await untilTaken(this.database.pool);
  }

  /** A customer writes for the first time. @returns the dialog, and the phone in digits */
  async customer(text = 'Здравствуйте', name = 'Алия'): Promise<{ id: string; phone: string }> {
    const phone = String((phones += 1));
    await this.says(phone, text, name);
    const { rows } = await this.database.pool.query<{ id: string }>(
      'SELECT id FROM threads WHERE phone = $1',
      [`+${phone}`],
    );
    return { id: `thread_${rows[0]?.id}`, phone };
  }

  says(phone: string, content: string | object, name?: string): Promise<void> {
    return this.tell(this.number.message({ phone, name }, content));
  }

  /** A window of the operator with a dialog in it, as soon as it can be worked in. */
  async openDialog(
    threadId: string,
    { person = this.operator, hash = '', ...options }: OpenOptions = {},
  ): Promise<Page> {
    const page = await this.openAs(person, `/dialogs/${threadId}${hash}`, options);
    await page.locator(`[data-dialog-of="${threadId}"] [role=log]`).waitFor();
    await page.locator('body[data-connection=online]').waitFor();
    return page;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.provider?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Its stand-ins know its account. */
  protected override get sharesServer(): boolean {
    return false;
  }

  protected override async startStandIns(): Promise<Record<string, string>> {
    this.provider = await FileAndSendProvider.start();
    this.folder = await mkdtemp(join(tmpdir(), 'leadline-media-'));
    return { ...this.provider.environment, MEDIA_DIR: this.folder };
  }
}

interface OpenOptions {
  person?: MonitorPerson;
  /** Of the address. */
  hash?: string;
  locale?: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active';
  permissions?: string[];
}

/** Sets the scene for a test file; the windows of each test are closed after it. */
export function setDialogScene(options?: SceneOptions): DialogScene {
  const scene = new DialogScene(options);
  beforeAll(() => scene.start());
  afterEach(() => scene.closeWindows());
  afterAll(() => scene.close());
  return scene;
}

/** What tests ask of an element in the page, whose types are unknown here. */
export interface PageElement {
  scrollTop: number;
  width: number;
  height: number;
  dataset: Record<string, string | undefined>;
  parentElement: PageElement;
  scrollBy: (x: number, y: number) => void;
  closest: (selector: string) => PageElement;
  getAttribute: (name: string) => string | null;
  getBoundingClientRect: () => { top: number; bottom: number };
}

/** Runs within the page, so it knows nothing of the test. */
export const ask = <Answer>(element: Locator, question: (element: PageElement) => Answer): Promise<Answer> =>
  element.evaluate(question as never);

export const askAll = <Answer>(
  elements: Locator,
  question: (elements: PageElement[]) => Answer,
): Promise<Answer> => elements.evaluateAll(question as never);

/** The parts of a dialog that tests look at. */
export const partsOf = (page: Page) => ({
  log: page.locator('[role=log]'),
  message: (text: string) => page.locator('article[data-message-id]', { hasText: text }),
  happened: (text: string | RegExp) => page.locator('[data-history-seq]', { hasText: text }),
  switch: page.getByRole('switch'),
  words: page.locator('[data-switch-words]'),
  field: page.getByRole('textbox', { name: /^(Message|Сообщение)$/ }),
  send: page.getByRole('button', { name: /^(Send|Отправить)$/ }),
});
