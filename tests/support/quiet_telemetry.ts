import { createMeter, createTelemetry } from '../../src/core/telemetry/create_telemetry.ts';

/** Records metrics for tests, and exports nothing. */
export const quietTelemetry = () => createTelemetry({ meter: createMeter() });
