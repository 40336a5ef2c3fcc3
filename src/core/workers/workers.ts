import { decodingCost } from '@atelier/imaging/codecs/decoding_cost.ts';
import type { Config } from '../../config/config.ts';
import { Admission, type AdmissionSettings, type Ask, fairQueueEntryOf } from './admission.ts';
import { type EngineName, NETWORK_ENGINES } from './engines.ts';
import {
  NETWORK_IDLE_MEMORY_BYTES_MAX,
  NETWORK_IDLE_MS,
  NETWORK_MEMORY_BYTES_MAX,
  PIXEL_QUEUE_LENGTH_MAX,
  SPARE_MEMORY_BYTES_MIN,
  WORKER_IDLE_MEMORY_BYTES_MAX,
  WORKER_IDLE_MS,
  WORKER_MEMORY_BYTES_MAX,
} from './limits.ts';
import { createPredictor } from './predict_seconds.ts';
import { gaveUpError, type PoolSettings, ProcessPool } from './process_pool.ts';
import { type PixelControl, type Pixels, type Reservation, WORK_LENGTHS, type WorkLength } from './types.ts';

/** Creates the image processes from the configuration. */
export const openPixels = (config: Config): Pixels =>
  createPixels({
    workers: config.WORKERS,
    pixelsInFlightMax: config.PIXELS_IN_FLIGHT_MAX,
    callerShare: config.CALLER_SHARE_PERCENT / 100,
    queueLengthMax: PIXEL_QUEUE_LENGTH_MAX,
    deadlineMs: config.TOOL_DEADLINE_MS,
  });

interface PixelSettings extends PoolSettings, AdmissionSettings {
  /** Idle timeout of the model process. Default: NETWORK_IDLE_MS. */
  readonly networkIdleMs?: number;
  /** Idle timeout of image processes. Default: WORKER_IDLE_MS. */
  readonly workerIdleMs?: number;
}

/**
 * Runs engines in child processes, one job per process: a decoder that crashes, exceeds its memory or hangs takes only its own job with it,
 * and a job is stopped by killing its process. Processes start with the first jobs and end after an idle timeout. All models share one
 * process, in which they stay open: onnxruntime uses every core for one job. A second one starts while the first is busy and short work
 * waits. All share the same pixel budget and fair queue.
 */
export function createPixels(settings: PixelSettings): Pixels {
  const admission = new Admission(settings);
  const predictor = createPredictor();
  const pictures = new ProcessPool(
    settings,
    { admission, predictor },
    {
      memoryBytesMax: WORKER_MEMORY_BYTES_MAX,
      idleMemoryBytesMax: WORKER_IDLE_MEMORY_BYTES_MAX,
      idleMsMax: settings.workerIdleMs ?? WORKER_IDLE_MS,
    },
  );
  const networks = new ProcessPool(
    { ...settings, workers: 1 },
    { admission, predictor },
    {
      memoryBytesMax: NETWORK_MEMORY_BYTES_MAX,
      idleMemoryBytesMax: NETWORK_IDLE_MEMORY_BYTES_MAX,
      idleMsMax: settings.networkIdleMs ?? NETWORK_IDLE_MS,
      beside: {
        memoryBytesMax: WORKER_MEMORY_BYTES_MAX,
        idleMsMax: settings.workerIdleMs ?? WORKER_IDLE_MS,
        spareBytesMin: SPARE_MEMORY_BYTES_MIN + WORKER_MEMORY_BYTES_MAX,
      },
    },
  );
  const poolOf = (engine: EngineName) => (NETWORK_ENGINES.has(engine) ? networks : pictures);
  return {
    run: (engine, input, control) => poolOf(engine).run(engine, input, withDecoding(input, control)),
    predict: (engine, input, control) => predictor.predict(engine, input, control).seconds,
    reserve: (input, control, work) => reserve(admission, withDecoding(input, control), work),
    get load() {
      const [one, other] = [pictures.load, networks.load];
      return {
        running: one.running + other.running,
        waiting: one.waiting + other.waiting,
        pixelsInFlight: admission.pixels,
      };
    },
    get queue() {
      const queues = [pictures.queue, networks.queue];
      const sum = (length: WorkLength) => ({
        runs: queues.reduce((all, queue) => all + queue[length].runs, 0),
        cpuSeconds: queues.reduce((all, queue) => all + queue[length].cpuSeconds, 0),
      });
      return Object.fromEntries(WORK_LENGTHS.map((length) => [length, sum(length)])) as Pixels['queue'];
    },
    get networks() {
      return {
        isBusy: networks.load.running > 0,
        secondsAheadOf: (address: string) => networks.secondsAheadOf(address),
      };
    },
    get pids() {
      return [...pictures.pids, ...networks.pids];
    },
    close: async () => void (await Promise.all([pictures.close(), networks.close()])),
  };
}

/** The image of the input, which has this name in all engines that take one. */
function withDecoding(input: object, control: PixelControl): PixelControl {
  const extra = 'bytes' in input && input.bytes instanceof Uint8Array ? decodingCost(input.bytes) : 0;
  return extra === 0 ? control : { ...control, pixels: control.pixels + extra };
}

/** Waits for pixels like any work, holds them while the parts run, and needs no process itself. */
async function reserve<T>(
  admission: Admission,
  control: PixelControl,
  work: (within: Reservation) => Promise<T>,
): Promise<T> {
  if (control.signal.aborted) throw gaveUpError();
  const { promise: begun, resolve: start, reject: refuse } = Promise.withResolvers<void>();
  const ask: Ask = {
    // The parts are charged when they run.
    ...fairQueueEntryOf(control, 0),
    control,
    length: 'short',
    hasProcess: () => true,
    start,
    refuse,
    spentSeconds: () => 0,
  };
  const giveUp = () => refuse(gaveUpError());
  control.signal.addEventListener('abort', giveUp, { once: true });
  try {
    admission.enter(ask);
    await begun;
    return await work({ pixels: control.pixels });
  } finally {
    control.signal.removeEventListener('abort', giveUp);
    admission.leave(ask);
  }
}
