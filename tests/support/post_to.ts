/** Undefined where the process died before it answered. */
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
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
}

export interface ProcessReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of another process
  readonly body: any;
}
