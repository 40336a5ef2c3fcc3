/** Runs that presses of this page started, until all of them have ended. No `document`: tests run it without a browser. */
import type { Act } from './table_state.ts';

/** What the runs came to. */
export interface RunsResult {
  /** Items that were made; of a recipe, by its last step. */
  readonly made: readonly number[];
  /** Those that earlier steps of recipes made. */
  readonly between: readonly number[];
  readonly failed: readonly Act[];
  readonly total: number;
  /** What was run last. */
  readonly title: string;
  readonly last: Act;
}

export class Runs {
  awaited = new Set<number>();
  made: number[] = [];
  between: number[] = [];
  title = '';
  failed: Act[] = [];
  done = 0;
  last: Act | undefined;
  /** Images that a press left for later. */
  left = 0;

  get total(): number {
    return this.done + this.awaited.size + this.left;
  }

  get isBusy(): boolean {
    return this.awaited.size + this.left > 0;
  }

  /** @param left images whose runs are not started yet */
  started(acts: readonly number[], { left, title }: { readonly left: number; readonly title: string }): void {
    for (const act of acts) this.awaited.add(act);
    this.left = left;
    this.title = title;
  }

  /** An act of this visitor has ended. @returns whether it was one of these */
  ended(act: Act): boolean {
    // A step of a recipe fails as an act of its own, and the recipe ends without it.
    if (act.state === 'failed' && this.isBusy) this.failed.push(act);
    if (!this.awaited.delete(act.act)) return false;
    this.done += 1;
    this.last = act;
    // An answer may name an image that was sent, as the sheet of a print names its art.
    const outputs = act.outputs.filter((number) => !act.inputs.includes(number));
    const firstMade = act.tool === 'run_recipe' ? outputs.length - 1 : 0;
    this.made.push(...outputs.slice(firstMade));
    this.between.push(...outputs.slice(0, firstMade));
    return true;
  }

  /** What all came to, once all have ended. */
  result(): RunsResult | undefined {
    const { made, between, failed, done: total, title, last } = this;
    if (this.isBusy || !last) return undefined;
    [this.made, this.between, this.failed, this.done, this.last] = [[], [], [], 0, undefined];
    return { made, between, failed, total, title, last };
  }
}
