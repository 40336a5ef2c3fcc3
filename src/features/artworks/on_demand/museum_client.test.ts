import { expect, test } from 'vitest';
import { MUSEUM_REST_MS, MUSEUM_REST_MS_MAX, MUSEUM_TURN_MS_MAX, MUSEUMS_PAUSE_MS } from '../limits.ts';
import { createCircuit, createPace } from './museum_client.ts';

test('the circuit opens after three failures, with backoff, and closes after a success', () => {
  let now = 0;
  const circuit = createCircuit(() => now);
  const rest = () => (circuit.restsUntil('met') ?? now) - now;
  circuit.fail('met');
  circuit.fail('met');
  expect(rest()).toBe(0);
  circuit.fail('met');
  expect([rest(), circuit.restsUntil('rijks')]).toEqual([MUSEUM_REST_MS, undefined]);
  now += MUSEUM_REST_MS;
  expect(rest()).toBe(0);
  circuit.fail('met');
  expect(rest()).toBe(2 * MUSEUM_REST_MS);
  for (let times = 0; times < 20; times += 1) circuit.fail('met');
  expect(rest()).toBe(MUSEUM_REST_MS_MAX);
  circuit.succeed('met');
  expect(rest()).toBe(0);
});

test('a Retry-After from a museum opens the circuit at once', () => {
  const circuit = createCircuit(() => 0);
  circuit.fail('met', 90_000);
  expect(circuit.restsUntil('met')).toBe(90_000);
});

test('requests respect museum and global rate limits and are rejected above the maximum wait', () => {
  const pace = createPace(() => 0);
  expect([pace.take('met', 1000), pace.take('rijks', 1000), pace.take('met', 1000)]).toEqual([
    0,
    MUSEUMS_PAUSE_MS,
    1000,
  ]);
  expect(pace.take('met', MUSEUM_TURN_MS_MAX)).toBe(2000);
  expect(pace.take('met', 1000)).toBeUndefined();
});
