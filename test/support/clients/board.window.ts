import type { Locator, Page } from 'playwright-core';

/** What tests ask of an element of the page, whose types they do not have. */
export interface PageElement {
  ariaPosInSet: string;
  ariaSetSize: string;
  ariaLabel: string;
  dataset: Record<string, string>;
  scrollBy: (x: number, y: number) => void;
}

/** The board on a page, by the hooks of its contract. */
export class BoardWindow {
  constructor(readonly page: Page) {}

  column(statusId: string | null): Locator {
    return this.page.locator(`[role=list][data-status-id="${statusId ?? 'none'}"]`);
  }

  card(threadId: string): Locator {
    return this.page.locator(`[role=listitem][data-thread-id="${threadId}"]`);
  }

  cardIn(statusId: string | null, threadId: string): Locator {
    return this.column(statusId).locator(`[role=listitem][data-thread-id="${threadId}"]`);
  }

  menuButton(threadId: string): Locator {
    return this.card(threadId).locator('button[aria-haspopup=menu]');
  }

  /** In the head of a column. */
  count(statusId: string | null): Locator {
    return this.column(statusId).locator('xpath=..').locator('[data-count]');
  }

  async untilCount(statusId: string | null, count: number): Promise<void> {
    await this.column(statusId).locator('xpath=..').locator(`[data-count="${count}"]`).waitFor();
  }

  async untilOnline(): Promise<void> {
    await this.page.locator('body[data-connection=online]').waitFor();
    await this.page.locator('[role=list][data-status-id]').first().waitFor();
  }

  /** The cards of a column from above, as far as they are in the document. */
  ids(statusId: string | null): Promise<string[]> {
    return this.column(statusId)
      .locator('[role=listitem]')
      .evaluateAll((cards: PageElement[]) =>
        cards
          .sort((one, other) => Number(one.ariaPosInSet) - Number(other.ariaPosInSet))
          .map(({ dataset }) => dataset.threadId ?? ''),
      );
  }

  /** Down by so many pixels. */
  async scroll(statusId: string | null, pixels: number): Promise<void> {
    await this.column(statusId).evaluate((list: PageElement, by) => list.scrollBy(0, by), pixels);
    await this.page.evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
  }

  /** By the mouse, with a step on the way, as a hand does. */
  async drag(threadId: string, statusId: string | null): Promise<void> {
    await this.pickUp(threadId);
    await this.dropOn(statusId);
  }

  async pickUp(threadId: string): Promise<void> {
    const box = await this.card(threadId).boundingBox();
    if (!box) throw new Error('the card is not in view');
    await this.page.mouse.move(box.x + 40, box.y + 45);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + 60, box.y + 60, { steps: 4 });
    await this.page.locator('[role=listitem][data-dragged]').waitFor();
  }

  async dropOn(statusId: string | null): Promise<void> {
    await this.carryTo(statusId);
    await this.page.mouse.up();
    await this.page.locator('[role=listitem][data-dragged]').waitFor({ state: 'detached' });
  }

  async carryTo(statusId: string | null): Promise<void> {
    const box = await this.column(statusId).boundingBox();
    if (!box) throw new Error('the column is not in view');
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
  }
}
