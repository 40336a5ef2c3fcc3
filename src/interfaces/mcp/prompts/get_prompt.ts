import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { closest } from '../../../catalog/closest.ts';
import { MCP_ARGUMENT_CHARACTERS_MAX } from '../limits.ts';
import { type Prompt, prompts, type Sent } from './prompts.ts';

/** The prompt with the user's values. @throws ProtocolError invalid params, with what to send instead */
export function getPrompt(name: string, sent: Sent = {}): GetPromptResult {
  const prompt = findPrompt(name);
  refuseBadArguments(prompt, sent);
  const steps = prompt
    .steps(sent)
    .map(({ tool, params, say }, at) => `${at + 1}. ${tool} ${JSON.stringify(params)}\n   ${say}`);
  const text = `${prompt.goal(sent)}\n\n${steps.join('\n')}\n\nAsk me before each call that costs credits. At the end, give me the links and the credits charged.`;
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** @throws ProtocolError invalid params, with the existing names */
export function findPrompt(name: string): Prompt {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  const names = prompts.map((prompt) => prompt.name);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown prompt ${JSON.stringify(name.slice(0, 100))}. Available: ${names.join(', ')}.`,
    { did_you_mean: closest(name, names) },
  );
}

function refuseBadArguments(prompt: Prompt, sent: Sent): void {
  const missing = prompt.arguments.filter(({ name, required }) => required && !sent[name]?.trim());
  if (missing.length > 0) {
    const names = missing.map(({ name, description }) => `${name} (${description})`);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Send ${names.join(' and ')}`);
  }
  const long = Object.entries(sent).find(([, value]) => (value ?? '').length > MCP_ARGUMENT_CHARACTERS_MAX);
  if (!long) return;
  const message = `${long[0].slice(0, 100)} is longer than ${MCP_ARGUMENT_CHARACTERS_MAX} characters. Send a handle instead of bytes.`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
