const NEEDS_A_SESSION =
  'The server calls the client during a tool call, and the client answers in a second request. Without a session that answer has no way back, nor does the first request say what the client can do. No tool of the catalogue calls its client; revision 2026-07-28 replaced this by input_required, which passes.';

const NO_TASKS =
  'Tests the optional extension io.modelcontextprotocol/tasks with tools of its own, which the fixtures lack; tests/mcp/long_calls.test.ts has it.';

const CLIENT_CALLS = {
  'tools-call-sampling': NEEDS_A_SESSION,
  'tools-call-elicitation': NEEDS_A_SESSION,
  'elicitation-sep1034-defaults': NEEDS_A_SESSION,
  'elicitation-sep1330-enums': NEEDS_A_SESSION,
};

/** Scenarios that fail, by what was run, each with the reason. One that passes after all must be taken out. */
export const EXPECTED_GAPS: Record<string, Readonly<Record<string, string>>> = {
  '2026-07-28': {
    'tasks-lifecycle': NO_TASKS,
    'tasks-capability-negotiation': NO_TASKS,
    'tasks-wire-fields': NO_TASKS,
    'tasks-request-state-removal': NO_TASKS,
    'tasks-mrtr-input': NO_TASKS,
    'tasks-request-headers': NO_TASKS,
    'tasks-dispatch-and-envelope': NO_TASKS,
    'tasks-required-task-error': NO_TASKS,
    'tasks-mrtr-composition': NO_TASKS,
  },
  '2025-11-25': CLIENT_CALLS,
  'the released suite': CLIENT_CALLS,
  'the catalogue itself': {},
};
