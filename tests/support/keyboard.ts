import type { Locator, Page } from 'playwright-core';

const STOPS_MAX = 200;

/**
 * Presses Tab until the element has the focus. @throws Error if it never does: the element is unreachable by
 * keyboard
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press('Tab');
    if (await hasFocus(target)) return;
  }
  throw new Error(`Tab does not lead to ${target} within ${STOPS_MAX} stops.`);
}

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** How a user operates a page: with a pointer, or with the keyboard only. */
export interface InputMode {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
}

export const pointer: InputMode = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
};

export const keyboard = (page: Page): InputMode => ({
  async press(target) {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  },
  async type(target, text) {
    await tabTo(page, target);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  },
});
