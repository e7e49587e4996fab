import type { Page } from 'playwright-core';
import type { LedgerEntry } from '../../../apps/sandbox/src/ledger.buffer';
import { ModelScript } from '../stand-ins/model.script';
import { SENDER, SettingsScene } from './settings.scene';

/** The phone of a customer, by the sandbox's page. */
export class Handset {
  constructor(readonly page: Page) {}

  async write(text: string): Promise<void> {
    await this.page.getByLabel('Message to the business').fill(text);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.own .words', { hasText: text }).waitFor();
  }

  /** Until the business has said it. */
  async hears(text: string): Promise<void> {
    await this.page.locator('.message:not(.own) .words', { hasText: text }).waitFor();
  }

  /** All that the business has said, the oldest first. */
  heard(): Promise<string[]> {
    return this.page.locator('.message:not(.own) .words').allTextContents();
  }
}

/** The monitor of an account whose number and model are at one sandbox, with the phones of its customers. */
export class ConversationScene extends SettingsScene {
  model: ModelScript;

  /** @param phone in international form */
  async openHandset(phone: string): Promise<Handset> {
    const { sandboxUrl } = this.model;
    const page = await this.open({}, sandboxUrl);
    await page.goto(`${sandboxUrl}/handset?sender=${SENDER}&phone=${phone.slice(1)}`);
    return new Handset(page);
  }

  /** The texts that the messenger was asked to send to a phone, the oldest first. */
  async sentTo(phone: string): Promise<(string | null)[]> {
    const query = new URLSearchParams({ phone });
    const answer = await fetch(`${this.model.sandboxUrl}/sandbox/ledger?${query.toString()}`);
    const entries = (await answer.json()) as LedgerEntry[];
    return entries.filter(({ type }) => type !== 'read' && type !== 'typing').map(({ text }) => text);
  }

  /** Its stand-ins know its account. */
  protected override get sharesServer(): boolean {
    return false;
  }

  protected override async startStandIns(): Promise<Record<string, string>> {
    const environment = await super.startStandIns();
    this.model = new ModelScript(environment.CLOUD_API_URL ?? '');
    return { ...environment, ...this.model.environment };
  }
}

/** Sets the scene for a test file; the windows of each test are closed after it. */
export function setConversationScene(): ConversationScene {
  const scene = new ConversationScene();
  beforeAll(() => scene.start());
  afterEach(() => scene.closeWindows());
  afterAll(() => scene.close());
  return scene;
}
