import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';

/** What became of one request. `sent: false` is said only where not one byte can have reached the other side. */
export type PostOutcome =
  | { readonly sent: true; readonly status: number; readonly body: unknown }
  | { readonly sent: boolean; readonly status?: undefined; readonly reason: string };

/** Failures of making a connection, before anything is written to it. */
const NEVER_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Posts JSON to an address of the operator's own and reads JSON back. Follows no redirect, sends no credential, never
 * throws; `body` is undefined where the answer is not JSON.
 */
export async function postJson(
  url: string,
  body: object,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<PostOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'Atelier/0.5',
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { sent: true, status: response.status, body: jsonOf(await textOf(response, maxBytes)) };
  } catch (error) {
    const { cause, name, message } = error as Error;
    const code = (cause as { code?: string } | undefined)?.code;
    const reason = name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : (code ?? message);
    return { sent: !(code !== undefined && NEVER_SENT.includes(code)), reason };
  }
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return undefined;
  }
}
