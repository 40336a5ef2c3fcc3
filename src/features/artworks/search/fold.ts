const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Lower case without diacritics: "Édouard Manet" equals "edouard manet", and "Børsen" equals "borsen". */
export const fold = (text: string): string => (isPlain(text) ? text.toLowerCase() : foldText(text));

/** Most text is plain ASCII. Folding takes half of the time of indexing. */
const isPlain = (text: string): boolean => !/[^\0-_a-~]/.test(text);

const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter]!)
    .replace(/[’‘ʼ`´]/g, "'");

/** Scripts without spaces between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;
const WORD = /[\p{L}\p{N}]+/gu;
const WORD_OR_SIGN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])[\p{L}\p{N}])+/gu;

/**
 * Words of folded text, letters and digits only; "d'Evreux" is two. Chinese and Japanese text has no word boundaries, so every character is
 * a word, and adjacent characters are matched as a phrase.
 */
export function wordsOf(folded: string): string[] {
  if (!UNSPACED.test(folded)) return folded.match(WORD) ?? [];
  return (folded.match(WORD_OR_SIGN) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word));
}
