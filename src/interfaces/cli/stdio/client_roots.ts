import { parse } from 'node:path';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { foldersOf, type Roots } from './readable_files.ts';
import type { Params } from './upstream.ts';

export interface RootsOptions {
  /** Folders given by the user, as paths. */
  readonly given: readonly string[];
  /** Base of relative paths, and the readable folder if neither the user nor the client names one. */
  readonly base: string;
  /** Never read: the data folder of the server. */
  readonly excluded: readonly string[];
  /** Asks the client (revisions before 2026-07-28). Undefined: no response. */
  ask(): Promise<unknown>;
}

/** The folders from which a client may name files. */
export interface ClientRoots {
  /** `initialize` says whether the client has roots. */
  open(params: unknown): void;
  /** The client has changed its roots. */
  forget(): void;
  /**
   * Removes the response to `ROOTS_QUESTION` from a request, if it has one.
   * @returns the request as the server may see it
   */
  take(request: JSONRPCRequest): { readonly request: JSONRPCRequest; readonly isAnswered: boolean };
  /** Whether the client has to be asked during this call (revision 2026-07-28). */
  mayAsk(request: JSONRPCRequest): boolean;
  isKnown(): boolean;
  read(): Promise<Roots>;
}

const KEY = 'atelier_roots';
const CAPABILITIES_META = 'io.modelcontextprotocol/clientCapabilities';

/** The response to a call of revision 2026-07-28; the client repeats the call with its roots. */
export const ROOTS_QUESTION = {
  resultType: 'input_required',
  inputRequests: { [KEY]: { method: 'roots/list', params: {} } },
};

export function createClientRoots({ given, base, excluded, ask }: RootsOptions): ClientRoots {
  let isAsked = false;
  let declared: Promise<string[]> | undefined;
  const folders = foldersOf(given, base);
  const without = foldersOf(excluded, base);

  return {
    open(params) {
      isAsked =
        (params as { capabilities?: { roots?: unknown } } | undefined)?.capabilities?.roots !== undefined;
      declared = undefined;
    },
    forget() {
      declared = undefined;
    },
    take(request) {
      const { inputResponses, ...params } = (request.params ?? {}) as Params & { inputResponses?: Params };
      const { [KEY]: answer, ...others } = inputResponses ?? {};
      if (answer === undefined) return { request, isAnswered: false };
      declared = foldersOf(urisIn(answer), base);
      const rest = Object.keys(others).length > 0 ? { inputResponses: others } : {};
      return { request: { ...request, params: { ...params, ...rest } }, isAnswered: true };
    },
    mayAsk: ({ params }) => {
      const stated = ((params?._meta ?? {}) as Params)[CAPABILITIES_META] as { roots?: unknown } | undefined;
      return stated?.roots !== undefined;
    },
    isKnown: () => declared !== undefined,
    async read() {
      if (isAsked) declared ??= ask().then((answer) => foldersOf(urisIn(answer), base));
      const allowed = [...(await folders), ...((await declared) ?? [])];
      // A client started without a working folder has "/" as its current folder, which is not a choice of its
      // user.
      const own = given.length === 0 && allowed.length === 0 ? await foldersOf([base], base) : [];
      const current = own.filter((folder) => folder !== parse(folder).root);
      return { folders: [...new Set([...allowed, ...current])], excluded: await without };
    },
  };
}

/** URIs of `roots/list`; anything that is not a list yields none. */
function urisIn(answer: unknown): string[] {
  const { roots } = (answer ?? {}) as { roots?: unknown };
  const listed = Array.isArray(roots) ? (roots as { uri?: unknown }[]).slice(0, 100) : [];
  return listed.flatMap(({ uri }) => (typeof uri === 'string' && /^file:/i.test(uri) ? [uri] : []));
}
