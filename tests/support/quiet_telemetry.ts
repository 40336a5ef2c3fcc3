import { createMeter } from '../../src/core/telemetry/create_meter.ts';
import { createTelemetry } from '../../src/core/telemetry/create_telemetry.ts';

/** Measures what a test may read, and sends nothing anywhere. */
export const quietTelemetry = () => createTelemetry({ meter: createMeter() });
