import { expect, test } from 'vitest';
import { colorEncoders } from '../../../../tests/fixtures/color_encoders.ts';
import { openSession } from './open_session.ts';
import { partOfGraph } from './part_of_graph.ts';

const whole = colorEncoders();
const sides = [1, 3, 224, 224];
const picture = { data: new Float32Array(3 * 224 * 224).fill(0.5), sides };

test('a subgraph has only the inputs its output needs and gives the same result', async () => {
  const part = partOfGraph(whole, ['image_embeds']);
  const session = await openSession(part);
  expect([session.inputs, session.outputs]).toEqual([['pixel_values'], ['image_embeds']]);
  expect(part.length).toBeLessThan(whole.length / 4);
  expect([
    ...(await session.runNamed({ pixel_values: picture }, ['image_embeds'])).get('image_embeds')!.data,
  ]).toEqual([expect.closeTo(0.5, 3), expect.closeTo(0.5, 3), expect.closeTo(0.5, 3)]);
});

test('an inner node can be the output', async () => {
  const session = await openSession(partOfGraph(whole, ['words']));
  const tokens = { data: BigInt64Array.of(0n, 1n), sides: [1, 2] };
  const named = await session.runNamed({ input_ids: tokens, attention_mask: tokens }, ['words']);
  const words = named.get('words')!.data;
  expect([...words].map((value) => Math.round(value * 100))).toEqual([0, 1, 0, 0, 1, 0]);
});

test('an invalid or truncated graph, or an unknown output, is rejected with an explanation', () => {
  expect(() => partOfGraph(whole, ['nothing'])).toThrow('computes no "nothing"');
  expect(() => partOfGraph(Buffer.from('{"a": 1}'), ['x'])).toThrow('not an ONNX graph');
  expect(() => partOfGraph(whole.subarray(0, whole.length / 2), ['x'])).toThrow('truncated or modified');
});
