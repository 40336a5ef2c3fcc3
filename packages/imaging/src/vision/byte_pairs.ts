/** Byte-level BPE (Sennrich, Haddow, Birch 2016) in the format of `tokenizer.json` of the Hugging Face tokenizers library. */
export interface BytePairs {
  readonly vocab: Readonly<Record<string, number>>;
  /** As "a b" or as pairs, highest priority first. */
  readonly merges: readonly (string | readonly [string, string])[];
}

/** The rank of each merge by its two symbols, "a b". */
export const ranksOf = (merges: BytePairs['merges']): ReadonlyMap<string, number> =>
  new Map(merges.map((merge, rank) => [[merge].flat().join(' '), rank] as const));

/** Applies the merges to adjacent symbols, highest priority first, until none applies. */
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

/** The character for each byte: printable bytes map to themselves, others to characters from 256 on (as in GPT-2). */
export const BYTE_LETTERS: readonly string[] = (() => {
  let unseen = 256;
  const isSeen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isSeen(byte) ? byte : unseen++));
})();
