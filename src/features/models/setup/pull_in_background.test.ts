import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Pulls, pullInBackground } from './pull_in_background.ts';

type Name = Pulls['wanted'][number];

/** A server that wants two; each look is a minute later. */
function server({
  failures = 0,
  isTaken = () => false,
}: {
  failures?: number;
  isTaken?: () => boolean;
} = {}) {
  const clock = { ms: 0 };
  const state = { here: new Set<string>(), ran: [] as string[], logged: [] as string[], looks: 0 };
  const log = (_: object, message: string) => void state.logged.push(message);
  const background = pullInBackground({
    wanted: ['u2netp', 'met'],
    logger: { info: log, error: log },
    here: async () => state.here,
    hold: async () => (isTaken() ? undefined : async () => {}),
    async run(name: Name) {
      state.ran.push(`${name} ${clock.ms / 60_000}`);
      if (failures > 0) {
        failures -= 1;
        return { ok: false, said: 'answered 403' };
      }
      state.here.add(name);
      return { ok: true, said: 'installed' };
    },
    now: () => clock.ms,
    async wait(signal) {
      await sleep(0);
      signal.throwIfAborted();
      clock.ms += 60_000;
      state.looks += 1;
    },
  });
  return { state, background };
}
const until = async (holds: () => boolean) => {
  while (!holds()) await sleep(1);
};

test('missing items are downloaded once and in order', async () => {
  const { state, background } = server();
  expect(background.states()).toEqual({ u2netp: 'waiting', met: 'waiting' });
  background.start();
  background.start();
  await until(() => background.states().met === 'here');
  await background.stop();
  expect(state.ran).toEqual(['u2netp 0', 'met 0']);
});

test('progress is visible during a download, and each quarter is logged', async () => {
  const logged: number[] = [];
  const going = Promise.withResolvers<void>();
  const background = pullInBackground({
    wanted: ['u2netp'],
    logger: {
      info: ({ fraction }: { fraction?: number }) => void (fraction && logged.push(fraction)),
      error() {},
    },
    here: async () => new Set<string>(),
    hold: async () => async () => {},
    async run(_name, { onProgress }) {
      for (const fraction of [0.1, 0.3, 0.4, 0.8]) onProgress(fraction, '');
      await going.promise;
      return { ok: true, said: '' };
    },
  });
  background.start();
  await until(() => background.fractions().u2netp === 0.8);
  going.resolve();
  await until(() => background.states().u2netp === 'here');
  await background.stop();
  expect([background.fractions(), logged]).toEqual([{}, [0.3, 0.8]]);
});

test('a failure is logged, reported and retried after ten, then twenty minutes', async () => {
  const { state, background } = server({ failures: 2 });
  state.here.add('met');
  background.start();
  await until(() => background.states().u2netp === 'failed');
  await until(() => background.states().u2netp === 'here');
  expect(state.ran).toEqual(['u2netp 0', 'u2netp 10', 'u2netp 30']);
  expect(state.logged.filter((line) => line.startsWith('failed to download'))).toHaveLength(2);
});

test('a download running on another server is awaited', async () => {
  const { state, background } = server({ isTaken: () => true });
  background.start();
  await until(() => state.looks > 3);
  expect([state.ran, background.states().met]).toEqual([[], 'waiting']);
  for (const name of ['met', 'u2netp']) state.here.add(name);
  await until(() => background.states().met === 'here');
});

test('stopping aborts the running download without reporting a failure', async () => {
  const logged: string[] = [];
  const log = (_: object, message: string) => void logged.push(message);
  let isOver = false;
  const background = pullInBackground({
    wanted: ['met'],
    logger: { info: log, error: log },
    here: async () => new Set<string>(),
    hold: async () => async () => {},
    run: async (_name, { signal }) => {
      await sleep(10_000, undefined, { signal }).catch(() => {});
      isOver = true;
      return { ok: false, said: 'stopped' };
    },
  });
  background.start();
  await until(() => background.states().met === 'running');
  await background.stop();
  expect([isOver, logged]).toEqual([true, []]);
});
