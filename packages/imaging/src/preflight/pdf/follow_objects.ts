import { OBJECTS_FOLLOWED_MAX } from '../limits.ts';
import { COST } from '../work_budget.ts';
import type { PdfDocument } from './document.ts';
import { isDictionary, type PdfDictionary, PdfStream, type PdfValue, Reference } from './values.ts';

/** Keys that lead back or across: their targets are reached through their parents. */
const NOT_FOLLOWED = new Set([
  'Parent',
  'P',
  'Dest',
  'Prev',
  'Next',
  'First',
  'Last',
  'StructParents',
  'Pg',
  'Popup',
]);

/** Traverses objects and remembers them, so that several traversals never visit an object twice. */
export class ObjectTraversal {
  remaining = OBJECTS_FOLLOWED_MAX;

  readonly #document: PdfDocument;
  readonly #seen = new Set<number>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  get followed(): number {
    return OBJECTS_FOLLOWED_MAX - this.remaining;
  }

  /** Visits every dictionary reachable from a value, with the number of the indirect object that contains it. */
  visitFrom(
    start: PdfValue | undefined,
    visit: (dictionary: PdfDictionary, object: number | undefined) => void,
    first?: number,
  ): void {
    if (first !== undefined) this.#seen.add(first);
    const waiting: [PdfValue, number | undefined][] = [[start ?? null, first]];
    for (let next = waiting.pop(); next && this.remaining > 0; next = waiting.pop()) {
      let [value, object] = next;
      if (value instanceof Reference) {
        if (this.#seen.has(value.number)) continue;
        this.#seen.add(value.number);
        object = value.number;
        value = this.#document.resolve(value);
      }
      const dictionary = value instanceof PdfStream ? value.dictionary : value;
      if (Array.isArray(dictionary)) {
        this.remaining -= 1;
        this.#document.work.spend(COST.member * dictionary.length);
        for (const one of dictionary) if (typeof one === 'object') waiting.push([one, object]);
      } else if (isDictionary(dictionary)) {
        this.remaining -= 1;
        this.#document.work.spend(COST.object + COST.member * dictionary.size);
        visit(dictionary, object);
        for (const [key, one] of dictionary)
          if (typeof one === 'object' && !NOT_FOLLOWED.has(key)) waiting.push([one, object]);
      }
    }
  }
}
