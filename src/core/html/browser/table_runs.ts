/** Runs started on this page, until all have ended. No `document`: tests run it without a browser. */
import type { Act } from './table_state.ts';

/** Outcome of the runs. */
export interface RunsResult {
  /** Result items; for a recipe, those of its last step. */
  readonly made: readonly number[];
  /** Items of earlier recipe steps. */
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
  /** Images to start later. */
  left = 0;

  get total(): number {
    return this.done + this.awaited.size + this.left;
  }

  get isBusy(): boolean {
    return this.awaited.size + this.left > 0;
  }

  /** @param left number of images not started yet */
  started(acts: readonly number[], { left, title }: { readonly left: number; readonly title: string }): void {
    for (const act of acts) this.awaited.add(act);
    this.left = left;
    this.title = title;
  }

  /** Handles an ended act of this visitor. @returns whether it belongs to these runs */
  ended(act: Act): boolean {
    // A failed recipe step is a separate act; the recipe ends without it.
    if (act.state === 'failed' && this.isBusy) this.failed.push(act);
    if (!this.awaited.delete(act.act)) return false;
    this.done += 1;
    this.last = act;
    // A response may list an input image, such as the artwork of a print sheet.
    const outputs = act.outputs.filter((number) => !act.inputs.includes(number));
    const firstMade = act.tool === 'run_recipe' ? outputs.length - 1 : 0;
    this.made.push(...outputs.slice(firstMade));
    this.between.push(...outputs.slice(0, firstMade));
    return true;
  }

  /** Outcome once all runs have ended. */
  result(): RunsResult | undefined {
    const { made, between, failed, done: total, title, last } = this;
    if (this.isBusy || !last) return undefined;
    [this.made, this.between, this.failed, this.done, this.last] = [[], [], [], 0, undefined];
    return { made, between, failed, total, title, last };
  }
}
