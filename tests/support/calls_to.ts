import { requestsBy, type TestApp, type TestReply } from './open_test_app.ts';

/** Calls to a service at a URL, with the interface of one in this process. */
export function callsTo(url: string): TestApp {
  const send = async (path: string, init: RequestInit): Promise<TestReply> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    fetch: (asked) => fetch(asked),
    ...requestsBy(send),
    close: async () => {},
  };
}
