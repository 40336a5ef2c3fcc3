import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newSchema, type Schema } from '../../../tests/support/new_schema.ts';
import { openTcpProxy, type TcpProxy } from '../../../tests/support/tcp_proxy.ts';
import { needs } from '../../../tests/support/test_requirements.ts';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { openPostgresql } from './postgresql.ts';
import { createSignals, type Signals } from './signals.ts';
import type { Listener, ScriptableDatabase } from './types.ts';

const serverUrl = process.env.TEST_DATABASE_URL;

test('a refusal to listen is reported once until listening succeeds again', () => {
  const refused = vi.fn();
  let on: Listener;
  const listen = (listener: Listener) => {
    on = listener;
    return async () => {};
  };
  const signals = createSignals({ listen } as unknown as ScriptableDatabase, { onRefused: refused });
  const states = [signals.isListening()];
  for (const happen of [
    () => on.lost?.(new Error('no')),
    () => on.lost?.(new Error('no')),
    () => on.heard(undefined),
    () => on.lost?.(undefined),
    () => on.lost?.(new Error('no')),
  ]) {
    happen();
    states.push(signals.isListening());
  }
  expect(states).toEqual([false, false, false, true, false, false]);
  expect(refused).toHaveBeenCalledTimes(2);
});

test('an embedded database reports no listening state', () => {
  expect(createSignals({} as ScriptableDatabase).isListening()).toBeUndefined();
});

describe('postgresql', needs('PostgreSQL'), () => {
  let schemas: Schema[];
  let proxy: TcpProxy;
  const opened: { database: ScriptableDatabase; signals: Signals }[] = [];

  beforeEach(async () => {
    schemas = [await newSchema(serverUrl!), await newSchema(serverUrl!)];
    proxy = await openTcpProxy(schemas[0]!.url);
  });
  afterEach(async () => {
    for (const { database, signals } of opened.splice(0)) {
      await signals.close();
      await database.close();
    }
    await proxy.close();
    for (const schema of schemas) await schema.drop();
  });

  /** A process and the signals it has received, by topic. */
  async function process(url: string) {
    const database = await openPostgresql(url);
    const signals = createSignals(database);
    opened.push({ database, signals });
    const heard = { jobs: 0, others: 0 };
    signals.on('jobs', () => {
      heard.jobs += 1;
    });
    signals.on('others', () => {
      heard.others += 1;
    });
    // After it has connected it hears once, because it may have missed something.
    await vi.waitFor(() => expect(heard.jobs).toBe(1), { timeout: WAIT_MS_MAX });
    return { signals, heard };
  }

  test('a process receives signals of its topic from processes in the same schema', async () => {
    const [one, other, elsewhere] = [
      await process(schemas[0]!.url),
      await process(schemas[0]!.url),
      await process(schemas[1]!.url),
    ];
    one.signals.send('jobs');
    await vi.waitFor(() => expect(other.heard).toEqual({ jobs: 2, others: 1 }), { timeout: WAIT_MS_MAX });
    expect(elsewhere.heard).toEqual({ jobs: 1, others: 1 });
  });

  test('pending signals for one topic are sent once', async () => {
    const [one, other] = [await process(schemas[0]!.url), await process(schemas[0]!.url)];
    for (let count = 0; count < 500; count += 1) one.signals.send('jobs');
    one.signals.send('others');
    await vi.waitFor(() => expect(other.heard.others).toBe(2), { timeout: WAIT_MS_MAX });
    expect(other.heard.jobs).toBeLessThan(5);
  });

  test('a lost connection is reopened, and missed signals are checked for', async () => {
    const { heard } = await process(proxy.url);
    await proxy.refuse();
    await proxy.restore();
    await vi.waitFor(() => expect(heard.jobs).toBe(2), { timeout: WAIT_MS_MAX });
  });
});
