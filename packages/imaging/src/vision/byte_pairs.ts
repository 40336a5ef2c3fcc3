/** Byte-level BPE (Sennrich, Haddow, Birch 2016) as `tokenizer.json` of the Hugging Face tokenizers library has it. */
export interface BytePairs {
  readonly vocab: Readonly<Record<string, number>>;
  /** As "a b" or as pairs, those that were made first at the beginning. */
  readonly merges: readonly (string | readonly [string, string])[];
}

/** The rank of each merge by its two symbols, "a b". */
export const ranksOf = (merges: BytePairs['merges']): ReadonlyMap<string, number> =>
  new Map(merges.map((merge, rank) => [[merge].flat().join(' '), rank] as const));

/** Joins the neighbours that were joined first when the vocabulary was made, until none can be joined. */
export function mergeSymbols(symbols: string[], ranks: ReadonlyMap<string, number>): string[] {
  let joined = symbols;
  while (joined.length > 1) {
    const pairs = joined
      .slice(1)
      .map((symbol, at) => ranks.get(`${joined[at]} ${symbol}`) ?? Number.POSITIVE_INFINITY);
    const best = Math.min(...pairs);
    if (best === Number.POSITIVE_INFINITY) break;
    const next: string[] = [];
    for (let at = 0; at < joined.length; at += 1) {
      const isPair = pairs[at] === best;
      next.push(isPair ? `${joined[at]}${joined[at + 1]}` : joined[at]!);
      if (isPair) at += 1;
    }
    joined = next;
  }
  return joined;
}

/** A letter for every byte: itself where it can be seen, else one of those after 255 (as in GPT-2). */
export const BYTE_LETTERS: readonly string[] = (() => {
  let unseen = 256;
  const isSeen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : unseen++));
})();
