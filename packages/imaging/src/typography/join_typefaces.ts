import type { Typeface } from './typeface.ts';

/**
 * Joins several files of one family, for different scripts and with the same metrics, to one typeface. Each character comes from the first file that
 * has it.
 * @throws Error in `getPath` and `getAdvanceWidth` for a character that is in no file
 */
export function joinTypefaces(faces: readonly [Typeface, ...Typeface[]]): Typeface {
  const runsOf = (text: string): { face: Typeface; text: string }[] => {
    const runs: { face: Typeface; text: string }[] = [];
    for (const character of text) {
      const face = faces.find((one) => one.charToGlyphIndex(character) > 0);
      if (!face) throw new Error(`the typeface has no glyph for ${JSON.stringify(character)}`);
      const last = runs.at(-1);
      if (last?.face === face) last.text += character;
      else runs.push({ face, text: character });
    }
    return runs;
  };
  const [{ unitsPerEm, ascender, descender }] = faces;
  return {
    unitsPerEm,
    ascender,
    descender,
    charToGlyphIndex: (character) => Math.max(0, ...faces.map((face) => face.charToGlyphIndex(character))),
    getAdvanceWidth: (text, size) =>
      runsOf(text).reduce((sum, run) => sum + run.face.getAdvanceWidth(run.text, size), 0),
    getPath(text, x, y, size) {
      let at = x;
      const commands = runsOf(text).flatMap((run) => {
        const path = run.face.getPath(run.text, at, y, size);
        at += run.face.getAdvanceWidth(run.text, size);
        return path.commands;
      });
      return { commands };
    },
  };
}
