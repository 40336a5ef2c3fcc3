import { inject } from 'vitest';

/** Speaks HTTP to the base URL; knows nothing of the service's code. */

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a black box have any shape until a test says which
  readonly body: any;
  readonly text: string;
}

export const baseUrl = (): string => inject('baseUrl');

export async function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return reply(await fetch(`${baseUrl()}${path}`, { headers, redirect: 'manual' }));
}

export async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
  return reply(
    await fetch(`${baseUrl()}${path}`, {
      ...init,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

export const callTool = (name: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  post(`/api/tools/${name}`, body, headers);

/** A fresh registered wallet and the header that pays with it. */
export async function newWallet(): Promise<{ wallet: string; bearer: Record<string, string> }> {
  const wallet = `0x${[...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  await post('/api/wallet/register', { wallet });
  return { wallet, bearer: { Authorization: `Bearer ${wallet}` } };
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
