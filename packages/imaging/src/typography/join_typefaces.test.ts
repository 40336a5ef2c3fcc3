import { expect, test } from 'vitest';
import { labelTypeface } from '../../../../tests/support/label_typeface.ts';
import { typeface } from '../../../../tests/support/typeface.ts';
import { joinTypefaces } from './join_typefaces.ts';
import { setLine } from './set_line.ts';

test('text covered by one font file is set as with that file alone', () => {
  expect(setLine('Hand', joinTypefaces([typeface]), 30)).toEqual(setLine('Hand', typeface, 30));
});

test('letters of several scripts are set on one line', () => {
  const [latin, mixed] = ['AI', 'AI ΤΝ ИИ ģ'].map((text) => labelTypeface.getAdvanceWidth(text, 20));
  expect(mixed).toBeGreaterThan(3 * latin!);
  const xs = labelTypeface
    .getPath('AIΤИ', 0, 0, 20)
    .commands.flatMap((command) => (command.type === 'M' ? [command.x] : []));
  expect(xs.every((x, at) => at === 0 || x > xs[at - 1]! - 8)).toBe(true);
});

test('a character missing from every font file is rejected, not omitted', () => {
  expect(() => labelTypeface.getAdvanceWidth('AI 人', 20)).toThrow('"人"');
});
