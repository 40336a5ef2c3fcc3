import { z } from 'zod';
import { DESCRIPTION } from '../../../catalog/about.ts';
import {
  type AnyOperation,
  type BytesAnswer,
  defineOperation,
  type OperationCall,
} from '../../definitions/operation.ts';

/** What a program finds at the address itself. */
export function landingText(
  operations: readonly AnyOperation[],
  { publicUrl, version }: { publicUrl: string; version: string },
): string {
  const places = operations
    .filter(({ tag, path }) => tag === 'discovery' && path !== '/' && !path.includes('{'))
    .map(({ path, summary }) => `${publicUrl}${path}\n    ${summary}`);
  return [
    `Atelier ${version}`,
    DESCRIPTION,
    '',
    `Call a tool:  POST ${publicUrl}/api/tools/<name> with one JSON object`,
    `Over MCP:     ${publicUrl}/mcp`,
    '',
    ...places,
    '',
  ].join('\n');
}

/**
 * The address itself: a page for whoever asks for HTML, which browsers alone do, and text for everybody else.
 * @param write the text, made once
 */
export function landingOperation(
  write: () => string,
  home: ((call: OperationCall) => Promise<BytesAnswer>) | undefined,
): AnyOperation {
  let text: string | undefined;
  return defineOperation({
    name: 'landing',
    methods: ['GET'],
    path: '/',
    tag: 'discovery',
    summary: 'Where to go from here.',
    input: z.object({}),
    answer: { file: 'text/plain', description: 'Plain text, or the studio for a browser.' },
    cacheSeconds: 3600,
    run: async (_input, _services: object, call) => {
      if (home && call.header('accept')?.includes('text/html')) {
        const { headers, ...page } = await home(call);
        return { ...page, headers: { ...headers, Vary: 'Accept' } };
      }
      text ??= write();
      return { bytes: text, contentType: 'text/plain; charset=utf-8', headers: { Vary: 'Accept' } };
    },
  });
}
