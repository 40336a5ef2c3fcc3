import { AtelierError } from '../errors/atelier_error.ts';
import type { AnyOperation } from '../operations/operation.ts';
import type { Caller, FromPage } from './caller.ts';
import { type KnownOrigins, mayCall } from './origin.ts';

/**
 * Reads Origin and the fields of Fetch Metadata, which pages cannot forge.
 * @param isPrivate the server is on a machine or in a local network, and pages of other sites may not call it. A public server takes
 * calls from all pages (CORS) and identifies its callers by their credentials.
 */
export function fromPage(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  { isPrivate, ...known }: KnownOrigins & { isPrivate: boolean },
): FromPage {
  const origin = headers.get('origin');
  if (origin !== null && mayCall(origin, known, headers.get('host'))) return {};
  const isElsewhere = isFromOtherOrigin(headers.get('sec-fetch-site') ?? undefined);
  // A page can navigate its visitor by a program or a redirect as well; only a click or a typed address counts as the visitor's own act.
  const isOpened = headers.get('sec-fetch-dest') === 'document' && headers.get('sec-fetch-user') === '?1';
  // Browsers send Origin with every POST of a page, but a filter on the way may remove it.
  const isUnnamedSender = isElsewhere && !/^(GET|HEAD)$/.test(method);
  const foreignPage = origin ?? (isUnnamedSender ? 'another origin' : undefined);
  return {
    ...(isPrivate && foreignPage !== undefined && { foreignPage }),
    ...(isElsewhere && !isOpened && { isPartOfPage: true }),
  };
}

/**
 * Whether a page of another origin caused a request (Fetch Metadata). `same-site` is another origin as well: other ports of this machine,
 * and sibling domains, which may belong to other people.
 * @param site the value of Sec-Fetch-Site; undefined where the client is no browser
 */
export const isFromOtherOrigin = (site: string | undefined): boolean =>
  /^(cross|same)-site$/.test(site ?? '');

/** @throws AtelierError forbidden_origin */
export function refuseForeignPage({ foreignPage }: Pick<Caller, 'foreignPage'>): void {
  if (foreignPage === undefined) return;
  throw new AtelierError(
    'forbidden_origin',
    `Pages of ${foreignPage.slice(0, 200)} may only read public things on this server.`,
  );
}

/** Whether a use of an endpoint writes: what also takes POST does, by GET too, as the specification wants it. */
export const writesBy = ({ methods }: Pick<AnyOperation, 'methods'>, method: string): boolean =>
  methods.includes('POST') || !/^(GET|HEAD)$/.test(method);

/**
 * What also takes POST writes, by GET too, as the specification wants it: an `<img>` in a page would post then.
 * @param isPrivate the answer is for one caller alone
 * @throws AtelierError forbidden_origin
 */
export function refuseForeignUse(
  operation: Pick<AnyOperation, 'methods'>,
  { caller, method, isPrivate }: { caller: Caller; method: string; isPrivate: boolean },
): void {
  const writes = writesBy(operation, method);
  if (writes || isPrivate) refuseForeignPage(caller);
  if (writes && method === 'GET' && caller.isPartOfPage) {
    throw new AtelierError(
      'forbidden_origin',
      'A page of another site requested this address, so nothing was written. Open the address yourself, or send POST with JSON.',
    );
  }
}
