import { type InnerList, type Parameters, serializeInnerList, serializeItem } from 'structured-headers';
import { SignatureProblem } from './signature_problem.ts';

/** What a signature can cover, as the signer saw it. */
export interface HttpMessage {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
  header(name: string): string | undefined;
}

/**
 * The text that is signed (RFC 9421, 2.5): one line per covered component, and last the parameters of the signature.
 * @throws SignatureProblem for a component that is not there, comes twice, or is of a kind not known here
 */
export function signedText(covered: InnerList, message: HttpMessage): string {
  const seen = new Set<string>();
  const lines = covered[0].map(([name, parameters]) => {
    const identifier = serializeItem([name, parameters]);
    if (typeof name !== 'string' || seen.has(identifier))
      throw new SignatureProblem(`the component ${identifier} comes twice or is no string`);
    seen.add(identifier);
    return `${identifier}: ${componentValue(name, parameters, message)}`;
  });
  return [...lines, `"@signature-params": ${serializeInnerList(covered)}`].join('\n');
}

function componentValue(name: string, parameters: Parameters, message: HttpMessage): string {
  if (name === '@query-param') return queryParameter(parameters, message);
  if (parameters.size > 0) {
    throw new SignatureProblem(
      `the component "${name}" has parameters (${[...parameters.keys()].join(', ')}), which are not understood here; cover it without them`,
    );
  }
  if (name.startsWith('@')) return deriveComponent(name, message);
  const value = /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? message.header(name) : undefined;
  if (value === undefined) throw new SignatureProblem(`the component "${name}" is not in the request`);
  return value.trim();
}

/** RFC 9421, 2.2. Schemes and authorities in lower case, without a port that goes without saying. */
function deriveComponent(name: string, { method, scheme, authority, target }: HttpMessage): string {
  const [path, query] = splitTarget(target);
  switch (name) {
    case '@method':
      return method;
    case '@scheme':
      return scheme;
    case '@authority':
      return authority;
    case '@target-uri':
      return `${scheme}://${authority}${target}`;
    case '@request-target':
      return target;
    case '@path':
      return path;
    case '@query':
      return query;
    default:
      throw new SignatureProblem(`there is no component "${name}" in a request`);
  }
}

/** Path and query; an absent query is "?" (RFC 9421, 2.2.7). */
function splitTarget(target: string): [path: string, query: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target || '/', '?'] : [target.slice(0, at) || '/', target.slice(at)];
}

/** RFC 9421, 2.2.8: decoded as a form and encoded again; one that comes twice cannot be covered. */
function queryParameter(parameters: Parameters, { target }: HttpMessage): string {
  const name = parameters.get('name');
  if (typeof name !== 'string' || parameters.size !== 1)
    throw new SignatureProblem('"@query-param" takes one parameter, "name"');
  const found = [...new URLSearchParams(splitTarget(target)[1])].filter(
    ([key]) => encodeURIComponent(key) === name,
  );
  if (found.length !== 1)
    throw new SignatureProblem(`the query has the parameter "${name}" ${found.length} times, not once`);
  return encodeURIComponent(found[0]![1]);
}
