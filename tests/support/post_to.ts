/** Posts to a service; undefined if the process died before it responded. */
export async function postTo(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<ProcessReply | undefined> {
  try {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    const isReplay = response.headers.has('idempotency-replayed');
    return { status: response.status, text, body: JSON.parse(text), isReplay };
  } catch {
    return undefined;
  }
}

export interface ProcessReply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of another process
  readonly body: any;
  /** The response of an earlier call with the same Idempotency-Key. */
  readonly isReplay: boolean;
}
