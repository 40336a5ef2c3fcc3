import { inParallel } from '../in_parallel.ts';
import { type OpenApi, operationsOf } from './document.ts';
import { newIdentities } from './identities.ts';
import { createJudge } from './judge_answer.ts';
import { Pool } from './pool.ts';
import { type Kind, type Planned, plannedRequests } from './requests.ts';
import { type Answered, type Ready, readyRequest, sendReady } from './send_planned.ts';

const AT_ONCE = 4;
/** Requests before new clients are created: the old ones may be locked, closed or blocked by then. */
const PER_IDENTITIES = 500;
const SHOWN = 600;
/** Values that schemas alone would hardly produce. */
const KNOWN = {
  Prefer: 'respond-async',
  url: 'https://example.com/hook',
  image_url: 'https://example.com/a.png',
};

interface Play {
  readonly url: string;
  /** Token of an operator. */
  readonly token: string;
  readonly count: number;
  readonly seed: number;
}

export interface Played {
  /** Number of responses, by kind of request and hundred of their status. */
  readonly counts: ReadonlyMap<Kind, readonly number[]>;
  readonly operations: number;
  /** `METHOD path` of operations that never returned 2xx or 3xx. */
  readonly unreached: readonly string[];
  /** Requests with their responses, and what is wrong with them. */
  readonly problems: readonly string[];
  readonly isBalanced: boolean;
}

/**
 * Sends a server a number of requests generated from its own document, and checks every response against it.
 */
export async function playRequests({ url, token, count, seed }: Play): Promise<Played> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const operations = operationsOf(document);
  const [judge, pool] = [createJudge(document), new Pool(operations)];
  for (const [name, value] of Object.entries(KNOWN)) pool.add(name, value);
  const planned = plannedRequests(operations, count, seed);
  const counts = new Map<Kind, number[]>();
  const unreached = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const problems: string[] = [];
  const note = (one: Planned, { status }: Answered) => {
    const of = counts.get(one.kind) ?? [0, 0, 0, 0, 0, 0];
    of[Math.floor(status / 100)]! += 1;
    counts.set(one.kind, of);
    if (status < 400 && one.method === one.operation.method)
      unreached.delete(`${one.method} ${one.operation.path}`);
  };
  for (let from = 0; from < count; from += PER_IDENTITIES) {
    const tokens = await newIdentities(url, token);
    pool.add('wallet', tokens.get('wallet'));
    await inParallel(
      [...planned.slice(from, from + PER_IDENTITIES).entries()],
      AT_ONCE,
      async ([nth, one]) => {
        const ready = readyRequest(one, { pool, nth: from + nth, tokenOf: (bearer) => tokens.get(bearer) });
        try {
          const answer = await sendReady(url, ready);
          note(one, answer);
          learn(pool, ready, answer);
          for (const problem of judge(ready, answer)) problems.push(told(ready, problem, answer));
        } catch (error) {
          problems.push(told(ready, `no answer: ${error}`));
        }
      },
    );
  }
  // biome-ignore lint/suspicious/noExplicitAny: the answer of another process
  const books = (await (await fetch(`${url}/api/ledger/invariants`)).json()) as any;
  return {
    counts,
    operations: operations.length,
    unreached: [...unreached],
    problems,
    isBalanced: books.balanced === true,
  };
}

function learn(pool: Pool, { planned }: Ready, { status, headers, bytes }: Answered): void {
  if (status >= 300 || !/json/.test(headers['content-type'] ?? '')) return;
  try {
    pool.learn(planned.operation.path, JSON.parse(bytes.toString('utf8')));
  } catch {
    // The check reports it.
  }
}

function told({ planned, method, path, headers, body }: Ready, problem: string, answer?: Answered): string {
  const sent = `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)} ${(body?.toString('utf8') ?? '').slice(0, SHOWN)}`;
  const came = answer ? `${answer.status} ${answer.bytes.subarray(0, SHOWN).toString('utf8')}` : '';
  return `${planned.kind} as ${planned.bearer}: ${problem}\n  ${sent}\n  ${came}`;
}
