import { setTimeout as wait } from 'node:timers/promises';

/** Description of a search endpoint that returns JSON. */
export interface Endpoint {
  /** `{query}` is replaced by the query, percent-encoded. */
  readonly url: string;
  /** JSON body of a POST, in which `{query}` is replaced by the query; absent: GET. */
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Path of the ids in the response: `results[].credit_id`, `data[].id`, `objectIDs[]`. */
  readonly ids: string;
  /** `{id}` is replaced by the id in the response: `chicago_{id}`. */
  readonly form: string;
}

/** Longest wait that an endpoint may request: hourly limits are the longest in common use. */
const WAIT_SECONDS_MAX = 2 * 3600;

/**
 * Sends a query, and retries after the time that the endpoint states.
 * @returns ids of works, best first
 * @throws Error if the response is not a result
 */
export async function search(endpoint: Endpoint, query: string): Promise<string[]> {
  for (;;) {
    const response = await send(endpoint, query);
    const text = await response.text();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status === 429 && seconds <= WAIT_SECONDS_MAX) {
      console.error(`Waiting ${seconds} s, as the endpoint requests.`);
      await wait(1000 * seconds);
      continue;
    }
    if (!response.ok)
      throw new Error(`"${query}" was answered with ${response.status}: ${text.slice(0, 200)}`);
    return valuesAt(JSON.parse(text), endpoint.ids).map((id) => endpoint.form.replaceAll('{id}', () => id));
  }
}

const send = ({ url, body, headers }: Endpoint, query: string): Promise<Response> =>
  fetch(
    url.replaceAll('{query}', () => encodeURIComponent(query)),
    {
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && {
        method: 'POST',
        body: body.replaceAll('{query}', () => JSON.stringify(query).slice(1, -1)),
      }),
    },
  );

/**
 * Follows a path such as `hits.hits[]._source.id`; `[]` iterates over a list. A missing member yields
 * nothing.
 */
export function valuesAt(answer: unknown, path: string): string[] {
  let values: unknown[] = [answer];
  for (const step of path.split(/\.|(?=\[\])/)) {
    values =
      step === '[]'
        ? values.flatMap((value) => (Array.isArray(value) ? value : []))
        : values.flatMap((value) => (isObject(value) && step in value ? [value[step]] : []));
  }
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
