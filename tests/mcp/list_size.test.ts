import { expect, test } from 'vitest';
import { mcpTool } from '../../src/catalogue/mcp_tools.ts';
import { tools } from '../../src/tools/index.ts';

/** Every agent pays for the list in context, at about four bytes a token. */
const BYTES_PER_TOOL_MAX = 3072;

test('the list of all tools keeps to its budget', () => {
  const bytes = Buffer.byteLength(JSON.stringify(tools.map(mcpTool)));

  expect(bytes / tools.length).toBeLessThan(BYTES_PER_TOOL_MAX);
});
