import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { PRODUCTS_WASM_B64, VECTOR_DIMENSIONS_MAX, VECTORS_A_GO, VectorMemory } from './vector_memory.ts';

test('the compiled WebAssembly module matches its source', async () => {
  const source = readFileSync(new URL('products.wat', import.meta.url), 'utf8');
  const { buffer } = (await wabt()).parseWat('products.wat', source).toBinary({});
  expect(Buffer.from(buffer).toString('base64')).toBe(PRODUCTS_WASM_B64);
});

test.each([[1], [15], [512], [VECTOR_DIMENSIONS_MAX]])(
  'cosines in %i dimensions match plain arithmetic, including extreme values',
  (dimensions) => {
    const memory = new VectorMemory(dimensions);
    const vectors = [
      new Int8Array(dimensions).fill(127),
      new Int8Array(dimensions).fill(-127),
      Int8Array.from({ length: dimensions }, (_, at) => ((at * 7919) % 255) - 127),
    ];
    for (const [place, vector] of vectors.entries()) memory.set(place, vector);
    const asked = Float32Array.from({ length: dimensions }, (_, at) => Math.sin(at + 1));
    const lengths = Float32Array.from(vectors, (vector) => Math.hypot(...vector));
    for (const query of [asked, new Float32Array(dimensions).fill(3)]) {
      const cosines = new Float32Array(3);
      memory.cosines(query, 0, lengths, cosines);
      for (const [place, vector] of vectors.entries()) {
        const product = vector.reduce((sum, value, at) => sum + value * query[at]!, 0);
        expect(cosines[place]).toBeCloseTo(product / (Math.hypot(...query) * lengths[place]!), 3);
      }
    }
  },
);

test('positions beyond one batch are offset correctly', () => {
  const memory = new VectorMemory(2);
  for (let place = 0; place <= VECTORS_A_GO; place += 1) memory.set(place, Int8Array.of(1, place % 127));
  const cosines = new Float32Array(VECTORS_A_GO + 1);
  memory.cosines(Float32Array.of(0, 1), VECTORS_A_GO, new Float32Array(VECTORS_A_GO + 1).fill(127), cosines);
  expect([cosines[0], cosines.at(-1)]).toEqual([0, expect.closeTo((VECTORS_A_GO % 127) / 127, 3)]);
});
