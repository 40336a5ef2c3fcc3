import { expect, test } from 'vitest';
import { z } from 'zod';
import { FREE } from '../features/definitions/price.ts';
import { defineTool } from '../features/definitions/tool.ts';
import { pythonModules } from './python_types.ts';

const tool = defineTool({
  name: 'turn_image',
  title: 'Turn an image',
  category: 'storage',
  summary: 'Turn an "image"',
  price: FREE,
  input: z.object({
    image: z.string().meta({ contentMediaType: 'image/*' }),
    turns: z.number().int().default(1).describe('Quarter turns.'),
    border: z.object({ side: z.enum(['left', 'right']), class: z.string().optional() }).optional(),
  }),
  output: z.object({ width: z.number(), sizes: z.array(z.object({ name: z.string().nullable() })) }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [],
  run: () => Promise.reject(new Error('not called')),
});
const { types, tools } = pythonModules([tool]);

test('an input becomes a TypedDict with optional fields, defaults and unnameable types', () => {
  expect(types).toContain(`class TurnImageInput(TypedDict):
    """Turn an "image\\""""

    image: Picture
    turns: NotRequired[int]
    """Quarter turns. Default: 1."""
    border: NotRequired[Dict[str, Any]]
`);
});

test('an output extends Envelope, and nested objects have their own classes', () => {
  expect(types).toContain('class TurnImageAnswerSizesItem(TypedDict):\n    name: Union[str, None]\n');
  expect(types).toContain('class TurnImageAnswer(Envelope):\n    width: float\n');
});

test('a tool becomes a method and a coroutine with the same fields', () => {
  expect(tools).toContain('    def turn_image(self, *, options: Options | None = None, **fields: Unpack');
  expect(tools).toContain(
    '    async def turn_image(self, *, options: Options | None = None, **fields: Unpack',
  );
});
