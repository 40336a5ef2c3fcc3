import { OUTPUTS_MAX } from './limits.ts';

/** A file that a response names, and where. */
export interface OutputFile {
  /** `result`, `variants.2.result`. */
  readonly path: string;
  /** Of the result, without `result:`. */
  readonly id: string;
  readonly name: string | undefined;
}

const HANDLE = /^result:([0-9a-z]{6,8}-[0-9a-f]{32}[\w.-]{0,460})$/;
/** What a result was made from, and what is only beside it. */
const NOT_MADE = new Set(['history', 'next_steps', 'original', 'cost', 'payment']);

/** The results that a tool's own fields name, each once; the main one first. */
export function outputsIn(output: Readonly<Record<string, unknown>>): OutputFile[] {
  const found = new Map<string, OutputFile>();
  collect(output, '', found);
  const files = [...found.values()];
  const main = files.findIndex(({ path }) => path === 'result');
  if (main > 0) files.unshift(...files.splice(main, 1));
  return files.slice(0, OUTPUTS_MAX);
}

/** Recursive; the output of a tool is checked against its schema, which bounds it. */
function collect(value: unknown, path: string, found: Map<string, OutputFile>): void {
  if (typeof value === 'string') {
    const id = value.length <= 500 ? HANDLE.exec(value)?.[1] : undefined;
    if (id !== undefined && !found.has(id)) found.set(id, { path, id, name: undefined });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      if (!NOT_MADE.has(name)) collect(member, path === '' ? name : `${path}.${name}`, found);
  }
}

/**
 * As many fields of a response as fit, the short ones first, in their own order.
 * @param charactersMax of JSON
 */
export function shortened(output: Readonly<Record<string, unknown>>, charactersMax: number): string {
  const sizes = Object.entries(output)
    .map(([name, value]) => ({ name, size: (JSON.stringify(value)?.length ?? 0) + name.length + 4 }))
    .filter(({ name }) => !name.endsWith('_b64') && name !== 'data')
    .sort((a, b) => a.size - b.size);
  const kept = new Set<string>();
  let left = charactersMax;
  for (const { name, size } of sizes) {
    left -= size;
    if (left < 0) break;
    kept.add(name);
  }
  return JSON.stringify(Object.fromEntries(Object.entries(output).filter(([name]) => kept.has(name))));
}
