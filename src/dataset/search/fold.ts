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

/** Lower case without accents: "Édouard Manet" and "edouard manet" are the same, and so are "Børsen" and "borsen". */
export const fold = (text: string): string => (isPlain(text) ? text.toLowerCase() : foldText(text));

/** Most text is, and needs no more: folding is the half of making an index. */
const isPlain = (text: string): boolean => !/[^\0-_a-~]/.test(text);

const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter]!)
    .replace(/[’‘ʼ`´]/g, "'");

/** Words of folded text, letters and digits only; "d'Evreux" is two. */
export const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? [];
