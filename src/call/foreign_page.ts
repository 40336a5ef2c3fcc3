import { AtelierError } from '../errors/atelier_error.ts';
import type { AnyOperation } from '../operations/operation.ts';
import type { Caller, FromPage } from './caller.ts';
import { type KnownOrigins, mayCall } from './origin.ts';

/**
 * Reads Origin and the Sec-Fetch fields, which pages cannot forge.
 * @param isPrivate pages of the internet have no business on a server that is only for a machine or a house; a public one
 * serves them all (CORS), and knows its callers by what they bring
 */
export function fromPage(
  headers: Headers,
  { isPrivate, ...known }: KnownOrigins & { isPrivate: boolean },
): FromPage {
  const origin = headers.get('origin');
  if (origin !== null && mayCall(origin, known, headers.get('host'))) return {};
  const isElsewhere = /^(cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '');
  const isOpened = headers.get('sec-fetch-dest') === 'document';
  return {
    ...(isPrivate && origin !== null && { foreignPage: origin }),
    ...(isElsewhere && !isOpened && { isPartOfPage: true }),
  };
}

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
      'A page of another site asked for this address, so nothing was written. Open the address itself, or send POST with JSON.',
    );
  }
}
