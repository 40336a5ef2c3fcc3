import { z } from 'zod';
import { engineAnswer, imageAnswer, imageField, outputField } from '../../src/features/definitions/fields.ts';
import { credits, FREE } from '../../src/features/definitions/price.ts';
import { type AnyTool, defineTool } from '../../src/features/definitions/tool.ts';
import { PICTURE } from './picture.ts';

const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

const sayHello = defineTool({
  name: 'say_hello',
  title: 'Say hello',
  category: 'dataset',
  summary: 'Greets by name.',
  price: FREE,
  input: z.object({ name: z.string().max(100) }),
  output: z.object({ greeting: z.string() }),
  effects,
  examples: [{ name: 'Ada' }],
  run: async ({ name }) => ({ greeting: `Hello, ${name}.` }),
});

const paintPicture = defineTool({
  name: 'paint_picture',
  title: 'Paint a picture',
  category: 'creative',
  toolset: 'edit',
  summary: 'Answers with the picture it was given.',
  price: FREE,
  input: z.object({ image: imageField, output: outputField }),
  output: z.object({ ...imageAnswer, ...engineAnswer }),
  effects: { ...effects, readOnly: false },
  examples: [],
  run: async ({ image }) => ({
    // A tool that ignores `output`, to show that its base64 is taken out all the same.
    image_b64: Buffer.from(image.bytes).toString('base64'),
    width: image.width,
    height: image.height,
    content_type: 'image/png',
    size_bytes: image.bytes.byteLength,
    result: `result:${PICTURE.id}`,
    result_url: `http://atelier.test/api/results/${PICTURE.id}?sig=x`,
    expires_at: '2030-01-01T00:00:00.000Z',
    engine: { name: 'fake', version: '1' },
    degraded: false,
  }),
});

const thinkHard = defineTool({
  name: 'think_hard',
  title: 'Think hard',
  category: 'creative',
  summary: 'Takes a while and says how far it is.',
  price: credits(2),
  input: z.object({ steps: z.int().min(1).max(100).default(3) }),
  output: z.object({ thought: z.string() }),
  effects: { ...effects, readOnly: false, idempotent: false },
  examples: [{}],
  async run({ steps }, _services, call) {
    for (let step = 1; step <= steps; step += 1) {
      call.onProgress(step / steps, `step ${step}`);
      // The same fraction again, which must not be sent.
      call.onProgress(step / steps, `still step ${step}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { thought: '42' };
  },
});

const waitForever = defineTool({
  name: 'wait_forever',
  title: 'Wait for ever',
  category: 'account',
  summary: 'Ends only when the caller leaves.',
  price: FREE,
  input: z.object({}),
  output: z.object({}),
  effects,
  examples: [{}],
  run: (_input, _services, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
});

const getFile = defineTool({
  name: 'get_file',
  title: 'Get a file',
  category: 'storage',
  summary: 'Answers with stored bytes and no link.',
  price: FREE,
  input: z.object({ size: z.int().min(1).max(10_000_000) }),
  output: z.object({ key: z.string(), content_type: z.string(), data: z.string() }),
  effects,
  examples: [{ size: 10 }],
  run: async ({ size }) => ({
    key: 'a.bin',
    content_type: 'application/octet-stream',
    data: Buffer.alloc(size, 7).toString('base64'),
  }),
});

const breakDown = defineTool({
  name: 'break_down',
  title: 'Break down',
  category: 'account',
  summary: 'Fails for a reason that callers are not told.',
  price: FREE,
  input: z.object({}),
  output: z.object({}),
  effects,
  examples: [{}],
  run: () => Promise.reject(new Error('the secret reason')),
});

export const FAKE_TOOLS: readonly AnyTool[] = [
  sayHello,
  paintPicture,
  thinkHard,
  waitForever,
  getFile,
  breakDown,
];
