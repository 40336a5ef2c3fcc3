import { remember } from './remember.ts';
import type { Params } from './upstream.ts';

/** The tool that made a result, and the file of this machine it was made from. */
export interface Origin {
  readonly tool: string;
  readonly source: string | undefined;
}

/** Where results and jobs came from, so that what is made of them lies beside the same file. */
export interface Origins {
  /** Remembers the handles and jobs an answer names. */
  add(answer: Params, origin: Origin): void;
  /** The origin of the first handle or job the arguments name. */
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

/** Every text inside, in order. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}
