import { remember } from './remember.ts';
import type { Params } from './upstream.ts';

/** The tool that made a result, and the local file it was made from. */
export interface Origin {
  readonly tool: string;
  readonly source: string | undefined;
}

/** Origins of results and jobs, so that results derived from them are written beside the same file. */
export interface Origins {
  /** Records the handles and jobs in a result. */
  add(answer: Params, origin: Origin): void;
  /** The origin of the first handle or job in the arguments. */
  find(args: Params): Origin | undefined;
}

export function createOrigins(): Origins {
  const known = new Map<string, Origin>();
  return {
    add(answer, origin) {
      for (const text of textsIn(answer)) if (NAMES.test(text)) remember(known, text, origin);
    },
    find: (args) => textsIn(args).flatMap((text) => known.get(text) ?? [])[0],
  };
}

/** `result:<id>`, and ids of jobs. */
const NAMES = /^(result:|job_)[\w.:-]{1,200}$/;
const DEPTH_MAX = 6;

/** Every text in a value, in order. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}
