import { setTimeout as wait } from 'node:timers/promises';

/** A search endpoint, described so that any one that answers JSON fits. */
export interface Endpoint {
  /** `{query}` stands for the words, encoded for an address. */
  readonly url: string;
  /** JSON sent by POST, in which `{query}` stands for the words; absent: GET. */
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the ids are in the answer: `results[].credit_id`, `data[].id`, `objectIDs[]`. */
  readonly ids: string;
  /** `{id}` stands for what was found: `chicago_{id}`. */
  readonly form: string;
}

/** Longest wait an endpoint may ask for: limits by the hour are the longest that are usual. */
const WAIT_SECONDS_MAX = 2 * 3600;

/**
 * Asks for the words of a query, and waits where the endpoint says when it takes more requests.
 * @returns ids of works, the best first
 * @throws Error where the answer is no result
 */
export async function search(endpoint: Endpoint, query: string): Promise<string[]> {
  for (;;) {
    const response = await send(endpoint, query);
    const text = await response.text();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status === 429 && seconds <= WAIT_SECONDS_MAX) {
      console.error(`Waiting ${seconds} s, as the endpoint asks.`);
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

/** Follows a path such as `hits.hits[]._source.id`; `[]` goes through a list. What is not there gives nothing. */
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
