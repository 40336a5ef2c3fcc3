import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import type { ScriptableDatabase } from '../database/types.ts';
import { createMeter, createTelemetry, writeExposition } from './create_telemetry.ts';
import { observeDatabase } from './observers.ts';

forEachDatabase((_name, open) => {
  test('statements and transactions are timed, with failures labelled', async () => {
    const meter = createMeter();
    const telemetry = createTelemetry({ meter });
    const database = observeDatabase((await open()) as ScriptableDatabase, telemetry);
    await database.query('select 1');
    await database.transaction((tx) => tx.query('select 2'));
    await expect(database.query('select nonsense')).rejects.toThrow();
    await expect(database.query(`select error_in_a_check(1)`)).rejects.toThrow();
    const twice = `insert into health_checks (at) values (now()), (now())`;
    await expect(database.transaction((tx) => tx.query(twice))).rejects.toThrow();
    const refused = new Error('decision of the caller');
    await expect(database.transaction(() => Promise.reject(refused))).rejects.toBe(refused);
    const text = await writeExposition(meter);
    expect(text).toContain('atelier_database_seconds_count{operation="query"} 3');
    expect(text).toContain('atelier_database_seconds_count{operation="transaction"} 3');
    expect(text).toContain('atelier_database_errors_total{kind="other"} 2');
    expect(text).toContain('atelier_database_errors_total{kind="constraint"} 1');
  });
});
