import type { ReplacedFonts } from './replace_fonts.ts';

/** Fonts that are told of one by one. */
const TOLD_MAX = 12;

/** What was done with fonts that were not embedded, a sentence for each. */
export function fontChanges({ replaced }: ReplacedFonts): string[] {
  const told = [...replaced].slice(0, TOLD_MAX).map(([name, { by, fitted }]) => {
    const signs = [...fitted].slice(0, TOLD_MAX).join(' ');
    const fitting = signs === '' ? '' : ` These signs were fitted to the width they had: ${signs}`;
    return `${name} was not embedded; its text is now drawn with ${by}, which has the same widths.${fitting}`;
  });
  const more = replaced.size - told.length;
  return more > 0 ? [...told, `${more} more fonts were replaced in the same way.`] : told;
}

/** Fonts that are still missing, each with the reason and what to do. */
export function fontsLeft({ left }: ReplacedFonts): string[] {
  const told = [...left]
    .slice(0, TOLD_MAX)
    .map(
      ([name, why]) =>
        `${name} is not embedded and was not replaced, as ${why}. Export the file with this font embedded, or with its text as outlines.`,
    );
  const more = left.size - told.length;
  return more > 0 ? [...told, `${more} more fonts are not embedded. Embed them in the same way.`] : told;
}
