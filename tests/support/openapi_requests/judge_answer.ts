import { Ajv, type ValidateFunction } from 'ajv';
import type { OpenApi } from './document.ts';
import { patternOf } from './pool.ts';
import type { Answered, Ready } from './send_planned.ts';

/** Checks a response against the document that the server itself serves. */
export type Judge = (ready: Ready, answer: Answered) => string[];

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

/**
 * Statuses of HTTP itself, which no operation describes: ranges, conditional requests, unsupported methods
 * and headers.
 */
const OF_HTTP = [206, 304, 405, 412, 416, 431];
/** Internal texts, which must not appear in responses. */
const INNER = /node_modules|\n\s+at \S+ \(|\.ts:\d+:\d+|ECONNREFUSED|vips_|SQLSTATE|syntax error at or near/;

export function createJudge(document: OpenApi): Judge {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const mismatch = (pointer: string, value: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? [] : [`does not fit its schema: ${ajv.errorsText(validate.errors)}`];
  };
  return (ready, answer) => {
    const type = String(answer.headers['content-type'] ?? '').split(';')[0]!;
    const text = answer.bytes.toString('utf8');
    const isWhole = ready.method !== 'HEAD' && answer.status !== 206 && text !== '';
    const json = /[/+]json$/.test(type) && isWhole ? parsed(text) : undefined;
    return [
      ...statusProblems(answer, json),
      ...(json instanceof Error ? [`no JSON: ${json.message}`] : []),
      ...(INNER.test(text) && /json|text\/plain/.test(type) && answer.status >= 400
        ? ['tells of the inside']
        : []),
      ...(answer.status >= 400 ? refusalProblems(ready, answer, json) : []),
      ...describedProblems(document, { ready, answer, type, json, mismatch }),
    ];
  };
}

/**
 * Only errors that are announced as temporary: with Retry-After, or because another server failed; or that
 * were requested by name.
 */
function statusProblems({ status, headers }: Answered, json: unknown): string[] {
  if (status < 500) return [];
  const { code, _sandbox: isRehearsed } = (json ?? {}) as Record<string, unknown>;
  if (isRehearsed === true || (status === 502 && code === 'upstream_failed')) return [];
  return status === 503 && headers['retry-after'] !== undefined ? [] : [`${status}`];
}

/** Errors are problem objects; JSON-RPC and pages have formats of their own. */
function refusalProblems(
  { method, path, headers }: Ready,
  { status, headers: answered }: Answered,
  json: unknown,
): string[] {
  if (method === 'HEAD') return [];
  const isPage = headers.Accept === 'text/html' && /^text\/html/.test(answered['content-type'] ?? '');
  if (isPage) return [];
  const { code, detail, status: said, error } = (json ?? {}) as Record<string, unknown>;
  if (path === '/mcp' && typeof error === 'object') return [];
  if (typeof code !== 'string' || typeof detail !== 'string' || detail === '')
    return [`${status} without code and detail`];
  return said === status ? [] : [`says ${said} with status ${status}`];
}

interface Described {
  readonly ready: Ready;
  readonly answer: Answered;
  readonly type: string;
  readonly json: unknown;
  mismatch(pointer: string, value: unknown): string[];
}

/** Whether this status is documented for the request, with this type, and the body matches. */
function describedProblems(document: OpenApi, { ready, answer, type, json, mismatch }: Described): string[] {
  const { method, path } = ready;
  const { status } = answer;
  if (OF_HTTP.includes(status)) return [];
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
  const [pathname] = path.split('?');
  const { path: own } = ready.planned.operation;
  const described = document.paths[own]?.[asked] && patternOf(own).test(pathname!) ? own : undefined;
  if (described === undefined)
    return status < 300 && method !== 'OPTIONS' ? [`${status} for what is not described`] : [];
  const pointer = `/paths/${escaped(described)}/${asked}/responses/${status}`;
  const found = at(document, pointer) as DescribedResponse | undefined;
  if (!found) return [`${status} is not announced`];
  const home = found.$ref?.slice(1) ?? pointer;
  const content = (at(document, home) as DescribedResponse).content;
  if (!content || method === 'HEAD' || json === undefined || json instanceof Error) return [];
  const media = [type, 'application/problem+json', '*/*'].find((one) => content[one]);
  if (media === undefined) return [`${status} is ${type}, announced is ${Object.keys(content)}`];
  return media === '*/*' ? [] : mismatch(`${home}/content/${escaped(media)}/schema`, json);
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

const at = (document: object, pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .reduce<unknown>(
      (value, part) =>
        (value as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
