import { createMeter } from '../../src/services/telemetry/create_meter.ts';
import { createTelemetry } from '../../src/services/telemetry/create_telemetry.ts';

/** Measures what a test may read, and sends nothing anywhere. */
export const quietTelemetry = () => createTelemetry({ meter: createMeter() });
