import type { Offer } from '../../features/models/setup/types.ts';
import { UsageError } from './usage_error.ts';

/**
 * The offers chosen by the typed answer: nothing for the recommended ones, `all`, `none`, or numbers of the list, ranges of them
 * and names.
 * @throws UsageError saying what was not understood
 */
export function chooseOffers(typed: string, missing: readonly Offer[]): readonly Offer[] {
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  if (words.length === 0) return missing.filter(({ isRecommended }) => isRecommended);
  const chosen = new Set(words.flatMap((word) => meant(word.toLowerCase(), missing)));
  return missing.filter((offer) => chosen.has(offer));
}

/** Those of a group, or the one of that name; nothing where there is none. */
export function offersNamed(word: string, offers: readonly Offer[]): readonly Offer[] {
  const group = offers.filter((offer) => offer.group === word);
  return group.length > 0 ? group : offers.filter(({ name }) => name === word);
}

function meant(word: string, missing: readonly Offer[]): readonly Offer[] {
  if (word === 'all') return missing;
  if (['none', 'no', 'n', 'q', 'quit'].includes(word)) return [];
  const [, first, last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(word) ?? [];
  const numbered = missing.slice(Number(first) - 1, Number(last));
  if (first !== undefined && Number(first) >= 1 && Number(last) <= missing.length && numbered.length > 0)
    return numbered;
  const named = offersNamed(word, missing);
  if (named.length > 0) return named;
  throw new UsageError(
    `"${word.slice(0, 60)}" is not in the list. Enter numbers from 1 to ${missing.length} (1,3-5), names, all, none, or nothing for the recommended downloads.`,
  );
}
