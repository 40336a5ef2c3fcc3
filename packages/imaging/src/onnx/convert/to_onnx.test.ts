import { expect, test } from 'vitest';
import {
  answerPlainly,
  SIDE,
  smallTfjs,
  smallTflite,
  TFJS_WEIGHTS,
} from '../../../../../tests/fixtures/small_classifier.ts';
import { DETECTOR_SIDE, detectPlainly, smallDetector } from '../../../../../tests/fixtures/small_detector.ts';
import {
  answerGraphPlainly,
  GRAPH_SIDE,
  GRAPH_WEIGHTS,
  smallTfjsGraph,
} from '../../../../../tests/fixtures/small_tfjs_graph.ts';
import { openSession } from '../open_session.ts';
import { WeightsError } from '../tensors.ts';
import { toOnnx } from './to_onnx.ts';

const nothing = () => undefined;
const { description, weights } = smallTfjs();
const beside = (name: string) => (name === TFJS_WEIGHTS ? weights : undefined);

test.each([
  ['TFLite', () => toOnnx(smallTflite(), nothing)!],
  ['TensorFlow.js', () => toOnnx(description, beside)!],
])('%s: the graph computes the layers, and conversion is deterministic', async (_form, convert) => {
  const session = await openSession(convert());
  const picture = Float32Array.from({ length: SIDE * SIDE * 3 }, (_, at) => Math.sin(at));
  const planes = Float32Array.from(
    picture,
    (_, at) => picture[(at % SIDE ** 2) * 3 + Math.floor(at / SIDE ** 2)]!,
  );
  const scores = (await session.run(planes, [1, 3, SIDE, SIDE])).get('scores')!;
  expect(scores.sides).toEqual([1, 5]);
  const expected = answerPlainly(picture);
  expect([...scores.data]).toEqual(expected.map((score) => expect.closeTo(score, 5)));
  expect(Math.max(...expected) - Math.min(...expected)).toBeGreaterThan(0.2);
  expect(Buffer.compare(convert(), convert())).toBe(0);
  await session.close();
});

test('16-bit weights and two anchor tables are converted', async () => {
  const session = await openSession(toOnnx(smallDetector(), nothing)!);
  const area = DETECTOR_SIDE ** 2;
  const picture = Float32Array.from({ length: area * 3 }, (_, at) => Math.sin(at));
  const planes = Float32Array.from(picture, (_, at) => picture[(at % area) * 3 + Math.floor(at / area)]!);
  const answers = await session.run(planes, [1, 3, DETECTOR_SIDE, DETECTOR_SIDE]);
  expect([...answers.values()].map(({ sides }) => sides)).toEqual([
    [1, 4, 3],
    [1, 16, 3],
  ]);
  for (const [at, expected] of detectPlainly(picture).entries())
    expect([...answers.get(`output_${at}`)!.data]).toEqual(expected.map((value) => expect.closeTo(value, 5)));
  await session.close();
});

const graph = smallTfjsGraph();
const besideGraph = (name: string) => (name === GRAPH_WEIGHTS ? graph.weights : undefined);

test('a node graph computes its nodes, and conversion is deterministic', async () => {
  const convert = () => toOnnx(graph.description, besideGraph)!;
  const session = await openSession(convert());
  const planes = Float32Array.from({ length: 3 * GRAPH_SIDE ** 2 }, (_, at) => Math.sin(at));
  const answers = await session.run(planes, [1, 3, GRAPH_SIDE, GRAPH_SIDE]);
  expect([...answers.values()].map(({ sides }) => sides)).toEqual([
    [1, 36, 3],
    [1, 36, 5],
  ]);
  for (const [at, expected] of answerGraphPlainly(planes).entries())
    expect([...answers.get(`output_${at}`)!.data]).toEqual(expected.map((value) => expect.closeTo(value, 4)));
  expect(Buffer.compare(convert(), convert())).toBe(0);
  await session.close();
});

const outcome = (file: Uint8Array, beside: (name: string) => Uint8Array | undefined = nothing): string => {
  try {
    return toOnnx(file, beside) ? 'converted' : 'of another form';
  } catch (error) {
    if (error instanceof WeightsError) return error.message;
    throw error;
  }
};

test.each([
  ['an operator we know by name only', { adding: 40 }, 'the operator MEAN (40), which cannot be converted'],
  ['one we do not know', { adding: 120 }, 'the operator 120, which'],
  ['another activation', { activation: 4 }, 'CONV_2D has the activation 4'],
  ['two inputs', { inputs: [0, 1] }, '2 inputs where one is known'],
  ['an input that is none', { inputs: [99] }, 'no tensor 99'],
  ['weights as input', { inputs: [2] }, 'neither one picture nor a list'],
])('TFLite with %s is rejected with an explanation', (_what, change, words) => {
  expect(outcome(smallTflite(change))).toContain(words);
});

test.each([
  ['a border of pictures', { padding: [1, 0, 0, 0, 0, 0, 0, 1] }, 'adds pictures'],
  ['a giant border of channels', { padding: [0, 0, 0, 0, 0, 0, 0, 1e6] }, 'impossible width'],
  ['other middles of pixels', { halfPixels: 0 }, 'middles of pixels'],
  ['weights of another kind', { type: 9 }, 'of another kind than 16 bits'],
  ['a table that does not add up', { columns: 7 }, 'A table of 7 columns'],
])('a detector with %s is rejected with an explanation', (_what, change, words) => {
  expect(outcome(smallDetector(change))).toContain(words);
});

type Description = Parameters<NonNullable<Parameters<typeof smallTfjs>[0]>>[0];
test.each<[string, (described: Description) => void, string]>([
  ['another layer', (d) => swap(d, '"Dropout"', '"Permute"'), 'a layer Permute ("drop"), which cannot'],
  ['a layer named as objects are', (d) => swap(d, '"Dropout"', '"constructor"'), 'a layer constructor'],
  ['another activation', (d) => swap(d, '"softmax"', '"swish"'), 'the activation swish'],
  ['a slope', (d) => swap(d, '"negative_slope":0', '"negative_slope":0.1'), 'a slope'],
  ['a giant border', (d) => swap(d, '[[0,1]', '[[0,100000]'), 'impossible width'],
  ['a giant picture', (d) => swap(d, '[null,6,6,3]', '[null,60000,60000,3]'), 'impossible shape'],
  ['a cycle', (d) => swap(d, '[["first"', '[["sum"'), 'has an input that no earlier'],
  ['other weights', (d) => swap(d, 'norm/beta', 'norm/alpha'), 'no weights "norm/beta"'],
  ['weights in floats', (d) => swap(d, '"dtype":"uint8"', '"dtype":"uint16"'), 'kept neither in 8 bits'],
  ['a shape of its own', (d) => swap(d, '[3,3,3,4]', '[3,3,4,3]'), 'does not fit'],
  ['fewer weights', (d) => swap(d, '[3,3,3,4]', '[3,3,3,3]'), 'bytes, and their description says'],
  ['weights elsewhere', (d) => swap(d, TFJS_WEIGHTS, '../secret'), 'not beside it'],
  ['no layers', (d) => swap(d, '"model_config"', '"node"'), 'where a list belongs'],
])('TensorFlow.js with %s is rejected with an explanation', (_what, change, words) => {
  expect(outcome(smallTfjs(change).description, beside)).toContain(words);
});

test.each([
  ['another node', '"LeakyRelu"', '"Selu"', 'a node Selu ("leaky"), which cannot be converted'],
  ['a node named as objects are', '"LeakyRelu"', '"constructor"', 'a node constructor'],
  ['a cycle', '["in","edges"]', '["sum","edges"]', 'has an input that no earlier'],
  ['two inputs', '"op":"Identity"', '"op":"Placeholder"', '3 inputs where one is known'],
  ['no output', '"Identity:0"', '"elsewhere:0"', 'makes its output "elsewhere"'],
  [
    'a dilation',
    '"dilations":{"list":{"i":["1","1","1","1"]',
    '"dilations":{"list":{"i":["1","2","2","1"]',
    'a dilation',
  ],
  ['corners on corners', '"align_corners":{"b":false}', '"align_corners":{"b":true}', 'middles of pixels'],
  ['a slope that is none', '"f":0.125', '"f":7', 'a slope'],
  [
    'another padding',
    Buffer.from('VALID').toString('base64'),
    Buffer.from('EXPLICIT').toString('base64'),
    'a padding',
  ],
  ['a giant image', '{"size":"6"}', '{"size":"60000"}', 'impossible shape'],
  ['weights of a giant', '"shape":[3,3,3,4]', '"shape":[3000,3000,3000,4]', 'impossible shape'],
  [
    'an image where a list belongs',
    '["sum","leaky","axis"]',
    '["sum","leaky","sum"]',
    'something else than it takes',
  ],
])('a graph with %s is rejected with an explanation', (_what, from, to, words) => {
  const { description } = smallTfjsGraph((text) => {
    if (!text.includes(from)) throw new Error(`no ${from}`);
    return text.replaceAll(from, to);
  });
  expect(outcome(description, besideGraph)).toContain(words);
});

/** Replaces text in the description. */
function swap(described: Description, from: string, to: string): void {
  const text = JSON.stringify(described);
  if (!text.includes(from)) throw new Error(`no ${from}`);
  Object.assign(described, JSON.parse(text.replaceAll(from, to)));
}

test('names in a file cannot collide with generated graph names', async () => {
  const names = smallTfjs((d) => {
    swap(d, '"first"', '"input"');
    swap(d, 'first/', 'input/');
    swap(d, '"last"', '"scores"');
    swap(d, 'last/', 'scores/');
  });
  const session = await openSession(toOnnx(names.description, beside)!);
  expect([session.inputs, session.outputs]).toEqual([['input'], ['scores']]);
  await session.close();
});

test('deeply nested JSON is rejected, and other formats are not converted', () => {
  expect(outcome(Buffer.from(`{"modelTopology":${'['.repeat(1e6)}`))).toContain('not JSON');
  expect(outcome(Buffer.from('{"model":{}}'))).toBe('of another form');
  expect(outcome(new Uint8Array(0))).toBe('of another form');
});

test('truncated or corrupted files are rejected or converted without unexpected errors', () => {
  const seen = new Set<string>();
  for (const tflite of [smallTflite(), smallDetector()])
    for (let at = 8; at < tflite.length; at += 1) {
      const altered = Uint8Array.from(tflite);
      altered[at]! ^= at % 2 === 0 ? 0x01 : 0xff;
      seen.add(outcome(altered));
      if (at % 7 === 0) seen.add(outcome(tflite.subarray(0, at)));
    }
  for (const [whole, weightsOf] of [
    [description, beside],
    [graph.description, besideGraph],
  ] as const)
    for (let at = 0; at < whole.length; at += 3) {
      const altered = Uint8Array.from(whole);
      altered[at]! ^= 0x01;
      seen.add(outcome(altered, weightsOf));
      if (at % 7 === 0) seen.add(outcome(whole.subarray(0, at), weightsOf));
    }
  expect(seen.size).toBeGreaterThan(30);
});
