import { sqlErrorOf } from './sql_error.ts';

interface Together<Request, Answer> {
  /** One statement about several requests; answers in their order. */
  readonly ask: (requests: readonly Request[]) => Promise<readonly Answer[]>;
  /** Of requests with the same key one is asked about at a time in a statement, in the order of keys: they may name what is locked. */
  readonly keyOf: (request: Request) => string;
  /** Statements under way; who comes meanwhile is asked about in the next one. */
  readonly atOnce: number;
  readonly requestsMax: number;
}

interface Waiting<Request, Answer> extends PromiseWithResolvers<Answer> {
  readonly request: Request;
}

/**
 * Asks about everybody who waits in one statement: one commit for all of them, and one trip to the database. Nobody waits for others to
 * come. Where the database refuses a statement each of its requests is asked about alone, so that none fails for another's sake.
 * @returns what asks; it throws what `ask` throws for the request alone
 */
export function createAskTogether<Request, Answer>({
  ask,
  keyOf,
  atOnce,
  requestsMax,
}: Together<Request, Answer>): (request: Request) => Promise<Answer> {
  const waiting = new Map<string, Waiting<Request, Answer>[]>();
  let running = 0;

  /** The first in each line, lines in the order in which they were begun or last asked about. */
  function takeSome(): Waiting<Request, Answer>[] {
    const lines = [...waiting].slice(0, requestsMax).sort(([one], [other]) => (one < other ? -1 : 1));
    return lines.map(([key, line]) => {
      const first = line.shift()!;
      waiting.delete(key);
      if (line.length > 0) waiting.set(key, line);
      return first;
    });
  }

  async function askFor(taken: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await ask(taken.map(({ request }) => request));
      for (const [at, { resolve }] of taken.entries()) resolve(answers[at]!);
    } catch (error) {
      const isOfOne = taken.length > 1 && sqlErrorOf(error) !== undefined;
      if (isOfOne) await Promise.all(taken.map((one) => askFor([one])));
      else for (const { reject } of taken) reject(error);
    }
  }

  async function run(): Promise<void> {
    running += 1;
    for (let taken = takeSome(); taken.length > 0; taken = takeSome()) await askFor(taken);
    running -= 1;
  }

  return (request) => {
    const own = { request, ...Promise.withResolvers<Answer>() };
    const key = keyOf(request);
    const line = waiting.get(key);
    if (line) line.push(own);
    else waiting.set(key, [own]);
    if (running < atOnce) void run();
    return own.promise;
  };
}
