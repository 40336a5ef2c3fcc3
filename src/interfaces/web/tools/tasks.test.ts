import { expect, test } from 'vitest';
import { optionalTools, tools } from '../../../features/tools.ts';
import { OTHER_TASKS, TASKS } from './tasks.ts';

test('tasks list every tool exactly once', () => {
  const sorted = [...TASKS, ...OTHER_TASKS].flatMap((task) => Object.keys(task.tools));
  const offered = new Set([...tools, ...optionalTools].map(({ name }) => name));
  expect(sorted.filter((name, at) => !offered.has(name) || sorted.indexOf(name) !== at)).toEqual([]);
});
