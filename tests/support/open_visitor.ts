import type { TestApp } from './open_test_app.ts';

/** A visitor with a browser without JavaScript: views pages, submits forms and keeps cookies. */
export interface TestVisitor {
  look(path: string): Promise<{ status: number; text: string }>;
  /** Submits a form without following the redirect. @param path of the page, or the name of a tool */
  press(path: string, values: Record<string, string | File>): Promise<Pressed>;
  /** The page of a run, once it has ended. */
  ended(path: string): Promise<string>;
}

interface Pressed {
  readonly status: number;
  /** Path and query; empty if the response is a page. */
  readonly goTo: string;
  readonly text: string;
}

/**
 * @param wallet whose cookie the browser has @param address of the client, for tests that would exceed the
 * limits of one address
 */
export function openVisitor(app: Pick<TestApp, 'fetch'>, wallet?: string, address?: string): TestVisitor {
  const cookies = new Map(wallet ? [['atelier_wallet', wallet]] : []);
  const send = async (path: string, init: RequestInit = {}) => {
    const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = {
      Accept: 'text/html',
      ...(Cookie && { Cookie }),
      ...(address && { 'X-Forwarded-For': address }),
    };
    const reply = await app.fetch(new Request(`http://atelier.test${path}`, { ...init, headers }));
    for (const set of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name!, value!);
    }
    return reply;
  };
  const look = async (path: string) => {
    const reply = await send(path);
    return { status: reply.status, text: await reply.text() };
  };
  return {
    look,
    async press(path, values) {
      const body = new FormData();
      for (const [name, value] of Object.entries(values)) body.append(name, value);
      const reply = await send(path.startsWith('/') ? path : `/tools/${path}`, { method: 'POST', body });
      return {
        status: reply.status,
        goTo: reply.headers.get('location') ?? '',
        text: await reply.text(),
      };
    },
    async ended(path) {
      for (;;) {
        const { text } = await look(path);
        if (!text.includes('data-live')) return text;
        await new Promise((done) => setTimeout(done, 100));
      }
    },
  };
}
