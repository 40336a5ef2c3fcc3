import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Graph } from '@atelier/imaging/onnx/graph.ts';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { findPlaces } from './find_places.ts';
import { runReadText } from './run_read_text.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

function stored(name: string, bytes: Uint8Array) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, path, bytes: bytes.length, sha256, provider: 'cpu' as const };
}

/** Detects text in dark areas of the first plane: 1 below −0.5, otherwise 0. */
function darkDetector(): Uint8Array {
  const graph = new Graph();
  const axes = graph.constant('axes', [1], 'int64');
  const [from, to] = [graph.constant('from', [0], 'int64'), graph.constant('to', [1], 'int64')];
  const plane = graph.node('Slice', ['input', from, to, axes]);
  const level = graph.constant('level', [-0.5], 'float');
  graph.node('Cast', [graph.node('Less', [plane, level])], { to: 1 }, 'map');
  return graph.toModel({ outputs: [{ name: 'map', sides: [] }] });
}

/** Recognises one letter per line at any position: steps of blank, "A", blank. */
function oneLetter(): Uint8Array {
  const graph = new Graph();
  const steps = graph.weights('steps', {
    shape: [1, 3, 3],
    data: Float32Array.of(1, 0, 0, 0.03, 0.97, 0, 1, 0, 0),
  });
  const zero = graph.node('Mul', [
    graph.node('ReduceMean', ['input'], { keepdims: 0 }),
    graph.weights('zero', { shape: [], data: Float32Array.of(0) }),
  ]);
  graph.node('Add', [steps, zero], {}, 'scores');
  return graph.toModel({ outputs: [{ name: 'scores', sides: [] }] });
}

const reader = {
  detection: stored('ppocr_detection', darkDetector()),
  recognition: stored('ppocr_recognition', oneLetter()),
  characters: stored('ppocr_keys', Buffer.from('A\n')),
};
/** White with two dark bars. */
const picture = async () => {
  const bar = (width: number) =>
    sharp({ create: { width, height: 16, channels: 3, background: 'black' } })
      .png()
      .toBuffer();
  return sharp({ create: { width: 960, height: 480, channels: 3, background: 'white' } })
    .composite([
      { input: await bar(400), left: 100, top: 300 },
      { input: await bar(300), left: 100, top: 100 },
    ])
    .png()
    .toBuffer();
};

test('models and character sets are loaded from files, and lines are in reading order', async () => {
  const { lines, document } = await runReadText({ bytes: await picture(), reader, format: 'text' });
  expect(document).toBe('A\n\nA');
  const [first, second] = lines as [(typeof lines)[0], (typeof lines)[0]];
  expect(first.y + first.height / 2).toBeCloseTo(108 / 480, 1);
  expect(second.x).toBeLessThan(100 / 960);
  expect(second.x + second.width).toBeGreaterThan(500 / 960);
});

test('boxes cover the detected text, and the result names the model', async () => {
  const found = await findPlaces({
    bytes: await picture(),
    place: 'text',
    finders: { reader },
    otherwise: 'none',
  });
  expect(found).toMatchObject({ found: 'text', reason: '2 lines of text, found by ppocr_detection.' });
  expect(found.boxes[0]!.width).toBeGreaterThan(400 / 960);
});
