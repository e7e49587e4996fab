import type { Locator, Page } from 'playwright-core';

/** Controls between one and another, at most. */
const STOPS_MOST = 60;

/**
 * Runs in the page: whether one sees where the focus is. It must be in the window, with an outline of its own or of what
 * stands for it. Fields that one types into have a caret.
 */
const SEEN = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return 'nowhere';
  const said = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
  const name = at.tagName + ' ' + said.slice(0, 60);
  const near = [at, at.firstElementChild, at.nextElementSibling, ...(at.labels ?? [])].filter(Boolean);
  const isTyped = at.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=file])');
  const isOutlined = near.some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  });
  if (!isTyped && !isOutlined) return name + ': no outline';
  const isInWindow = near.some((one) => {
    const { top, left, bottom, right, width, height } = one.getBoundingClientRect();
    return width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  });
  return isInWindow ? null : name + ': out of sight';
})()`;

/** A person without a pointer. Wherever a key leads, the focus must be seen. */
export class KeyboardWalker {
  /** Where it was not seen. */
  readonly unseen: string[] = [];

  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** By Tab, or Shift+Tab, to a control. */
  async to(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const focused = control.and(this.page.locator(':focus'));
    for (let stop = 0; stop < STOPS_MOST; stop += 1) {
      await this.press(key);
      await this.look();
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`${key} does not lead to ${control.toString()}`);
  }

  /** Until the focus is there, and is seen. */
  async isAt(control: Locator): Promise<void> {
    await control.and(this.page.locator(':focus')).waitFor({ state: 'attached' });
    await this.look();
  }

  private async look(): Promise<void> {
    const fault = await this.page.evaluate<string | null>(SEEN);
    if (fault !== null) this.unseen.push(fault);
  }
}
