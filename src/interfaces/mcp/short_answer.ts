import { MCP_ANSWER_BYTES_MAX } from './limits.ts';

type Body = Record<string, unknown>;

/** An answer short enough to be read, and which of its lists are not whole, as "downloads (6 of 100)". */
export interface ShortAnswer {
  readonly body: Body;
  readonly cut: readonly string[];
}

/** These tell what to do next, and are never cut. */
const KEPT_WHOLE = ['next_steps', 'warnings'];

/**
 * The answer with as many entries of its longest lists as MCP_ANSWER_BYTES_MAX leaves room for, the longest cut first. Nothing but
 * lists is cut, for half an object or half a sentence misleads: what has no long lists stays as long as it is.
 */
export function shortAnswer(body: Body): ShortAnswer {
  const cut = new Map<string, string>();
  let short = body;
  for (
    let over = bytesOf(short) - MCP_ANSWER_BYTES_MAX;
    over > 0;
    over = bytesOf(short) - MCP_ANSWER_BYTES_MAX
  ) {
    const longest = longestList(short);
    if (!longest) break;
    const [name, list] = longest;
    // At least one less each time, so that it ends.
    const share = Math.max(0, 1 - over / bytesOf(list));
    const kept = list.slice(0, Math.min(list.length - 1, Math.max(1, Math.floor(list.length * share))));
    short = { ...short, [name]: kept };
    cut.set(name, `${name} (${kept.length} of ${(body[name] as unknown[]).length})`);
  }
  return { body: short, cut: [...cut.values()] };
}

function longestList(body: Body): [string, unknown[]] | undefined {
  const lists = Object.entries(body).flatMap(([name, value]): [string, unknown[]][] =>
    Array.isArray(value) && value.length > 1 && !KEPT_WHOLE.includes(name) ? [[name, value]] : [],
  );
  return lists.sort(([, a], [, b]) => bytesOf(b) - bytesOf(a))[0];
}

/** As a message has it: once as fields, and once as text, with its quotation marks escaped. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
}
