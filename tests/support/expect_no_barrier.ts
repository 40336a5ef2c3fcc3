import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers } from './browse.ts';

/** Expects no accessibility violation in either theme, and no horizontal scrolling. */
export async function expectNoBarrier(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours in transition have another contrast.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([page.url(), await findBarriers(page)]).toEqual([page.url(), []]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}
