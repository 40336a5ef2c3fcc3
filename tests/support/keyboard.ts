import type { Locator, Page } from 'playwright-core';

const STOPS_MAX = 200;

/** Goes by Tab from where the focus is until it is there. @throws Error where that never happens: nobody without a pointer gets there */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press('Tab');
    if (await hasFocus(target)) return;
  }
  throw new Error(`Tab does not lead to ${target} within ${STOPS_MAX} stops.`);
}

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** How somebody gets about on a page: with a pointer, or with the keyboard alone. */
export interface Hands {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
}

export const pointer: Hands = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
};

export const keyboard = (page: Page): Hands => ({
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
