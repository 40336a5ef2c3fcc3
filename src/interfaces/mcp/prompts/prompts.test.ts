import { describe, expect, test } from 'vitest';
import { tools } from '../../../features/tools.ts';
import { choicesOf } from '../choices_of.ts';
import { MCP_ARGUMENT_CHARACTERS_MAX } from '../limits.ts';
import { getPrompt, prompts } from './prompts.ts';

const IMAGE = 'https://example.org/a.jpg';
const toolOf = (name: string) => tools.find((tool) => tool.name === name)!;

describe.each(prompts.map((prompt) => [prompt.name, prompt] as const))('%s', (name, prompt) => {
  const needed = prompt.arguments.filter(({ required }) => required);
  const least = Object.fromEntries(needed.map((argument) => [argument.name, IMAGE]));
  /** One call for each value that a completion offers. */
  const sent = prompt.arguments.flatMap(({ name: argument, valuesOf }) =>
    valuesOf
      ? choicesOf(toolOf(valuesOf[0]), valuesOf[1]).map((value) => ({ ...least, [argument]: value }))
      : [],
  );

  test('every step is valid tool input for every choice of arguments', () => {
    for (const one of [least, ...sent].filter(({ size }: Record<string, string>) => size !== 'custom'))
      for (const { tool, params } of prompt.steps(one)) {
        const { dry_run: _, ...input } = params;
        expect(toolOf(tool).input.safeParse(input).error, `${tool} ${JSON.stringify(one)}`).toBeUndefined();
      }
  });

  test('the prompt text includes the arguments', () => {
    const { messages } = getPrompt(name, least);
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringContaining(IMAGE) } },
    ]);
  });

  test('a missing argument is named in the error', () => {
    expect(() => getPrompt(name)).toThrow(`Send ${needed[0]!.name}`);
  });
});

test('an unknown prompt gets a suggestion', () => {
  expect(() => getPrompt('photo_to_prnt')).toThrow('photo_to_print');
});

test('base64 in an argument is rejected', () => {
  const image = 'A'.repeat(MCP_ARGUMENT_CHARACTERS_MAX + 1);
  expect(() => getPrompt('clear_rights', { image })).toThrow('Send a handle instead');
});
