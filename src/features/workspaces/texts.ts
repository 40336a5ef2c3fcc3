/** Control, invisible and bidirectional characters; line breaks stay where `lines` is set. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
/** Joins emoji and letters of some scripts. */
const JOINERS = /[\u200c\u200d]/;

/** Sanitises user text: one line, without invisible or reordering characters. */
export const plainText = (text: string, charactersMax: number): string =>
  clean(text.slice(0, 4 * charactersMax).replace(/\s+/g, ' '))
    .trim()
    .slice(0, charactersMax)
    .toWellFormed();

/** As `plainText`, but preserves line breaks. */
export const plainLines = (text: string, charactersMax: number): string =>
  text
    .slice(0, 4 * charactersMax)
    .split(/\r\n|\r|\n/)
    .map((line) => clean(line.replaceAll('\t', ' ')).trimEnd())
    .join('\n')
    .trim()
    .slice(0, charactersMax)
    .toWellFormed();

const clean = (text: string): string =>
  text.toWellFormed().replace(HIDDEN, (letter) => (JOINERS.test(letter) ? letter : ''));
