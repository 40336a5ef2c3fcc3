import type * as onnxruntime from 'onnxruntime-node';
import { expect, test, vi } from 'vitest';
import { type CreateSession, openSession } from './open_session.ts';

/** Simulates a machine with or without a CUDA device; the test machine has none. */
const machine = (hasCuda: boolean) =>
  vi.fn<CreateSession>(async (_model, { executionProviders: [provider] = [] }) => {
    if (provider === 'cuda' && !hasCuda) throw new Error('libonnxruntime_providers_cuda.so: cannot open');
    return { inputNames: ['x'], outputNames: ['y'] } as unknown as onnxruntime.InferenceSession;
  });
const MODEL = new Uint8Array([1]);

test('an available device is used and named', async () => {
  expect((await openSession(MODEL, 'auto', machine(true))).provider).toBe('cuda');
});

test('an explicitly requested device that is unavailable is rejected', async () => {
  await expect(openSession(MODEL, 'cuda', machine(false))).rejects.toThrow('providers_cuda');
});

test('without a device, the CPU is used and the device is not tried again', async () => {
  const create = machine(false);
  const opened = [await openSession(MODEL, 'auto', create), await openSession(MODEL, 'auto', create)];
  expect(opened.map(({ provider }) => provider)).toEqual(['cpu', 'cpu']);
  expect(create.mock.calls.map(([, { executionProviders }]) => executionProviders)).toEqual([
    ['cuda'],
    ['cpu'],
    ['cpu'],
  ]);
});
