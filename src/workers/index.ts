import type { EngineName, Engines } from './engines.ts';

export { createPixels } from './create_pixels.ts';

/** Runs engines off the main thread: bounded queue, deadline, cancellation, a cap on pixels in flight. */
export interface Pixels {
  /**
   * @throws AtelierError busy (queue or pixels full: refused at once), timed_out, image_too_large, undecodable_image, unsuitable_image
   */
  run<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: PixelControl,
  ): Promise<Awaited<ReturnType<Engines[Name]>>>;
  readonly load: { running: number; waiting: number; pixelsInFlight: number };
  /** The one process for networks: whether it has a job, and how long those it has may take still, as far as they say. */
  readonly networks: { readonly isBusy: boolean; readonly secondsAhead: number };
  close(): Promise<void>;
}

export interface PixelControl {
  /** Pixels the job will hold at its peak, input and output together: what the memory budget counts. */
  readonly pixels: number;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  /** What the job is expected to take once it runs; absent: unknown, and nobody is told to wait for it. */
  readonly estimatedSeconds?: number;
  onProgress?(fraction: number, message: string): void;
  /** Called when a process takes the job: until then it waits. */
  onStart?(): void;
}
