import { expect, test } from 'vitest';
import { noSuchTool, unknownTool } from './unknown_tool.ts';

const knowing = (...names: string[]) => ({ similar: () => names });

test('at most three close names are suggested, otherwise search_tools', () => {
  expect(noSuchTool(knowing('a', 'b', 'c', 'd'), 'x')).toBe('Unknown tool "x". Did you mean a or b or c?');
  expect(noSuchTool(knowing(), 'x')).toBe('Unknown tool "x". Call search_tools to see all.');
});

test('a long unknown name is truncated to one line', () => {
  const { message, details } = unknownTool(knowing('a'), `x\n${'y'.repeat(5000)}`);
  expect(message.length).toBeLessThan(150);
  expect(message).not.toContain('\n');
  expect(details.members).toEqual({ did_you_mean: ['a'] });
});
