import type { CallContext } from '../../src/features/definitions/tool.ts';

/** The context of a call without observers, for tests that run a tool directly. */
export function quietCall(more: Partial<CallContext> = {}): CallContext {
  return {
    requestId: 'req_test',
    callerKey: 'ip:127.0.0.1',
    address: '127.0.0.1',
    deadlineMs: 60_000,
    signal: new AbortController().signal,
    deadline: new AbortController().signal,
    onProgress: () => {},
    warn: () => {},
    waive: () => {},
    charge: () => {},
    ...more,
  };
}
