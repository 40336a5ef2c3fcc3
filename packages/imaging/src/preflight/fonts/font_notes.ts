import type { ReplacedFonts } from './replace_fonts.ts';

/** Maximum number of fonts, and of characters of a font, that are listed by name. */
const LISTED_MAX = 12;

/** Reports the fonts that were replaced because they were not embedded, one sentence for each. */
export function fontChanges({ replaced }: ReplacedFonts): string[] {
  const notes = [...replaced].slice(0, LISTED_MAX).map(([name, { by, fitted }]) => {
    const signs = [...fitted].slice(0, LISTED_MAX).join(' ');
    const fitting = signs === '' ? '' : ` These symbols were fitted to their original widths: ${signs}`;
    return `${name} was not embedded; its text is now drawn with ${by}, which has the same widths.${fitting}`;
  });
  const more = replaced.size - notes.length;
  return more > 0 ? [...notes, `${more} more fonts were replaced in the same way.`] : notes;
}

/** Reports the fonts that are still missing, each with the reason and the remedy. */
export function fontsLeft({ left }: ReplacedFonts): string[] {
  const notes = [...left]
    .slice(0, LISTED_MAX)
    .map(
      ([name, why]) =>
        `${name} is not embedded and was not replaced because ${why}. Export the file with this font embedded, or with its text as outlines.`,
    );
  const more = left.size - notes.length;
  return more > 0 ? [...notes, `${more} more fonts are not embedded. Embed them in the same way.`] : notes;
}
