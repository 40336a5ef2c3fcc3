import { ENGINES, type EngineName, type Engines } from './engines.ts';

/** Runs an engine in this process, for an operator's command that waits for it. No deadline, no queue. */
export async function runHere<Name extends EngineName>(
  engine: Name,
  input: Parameters<Engines[Name]>[0],
): Promise<Awaited<ReturnType<Engines[Name]>>> {
  const run = (await ENGINES[engine]()) as (sent: typeof input, onProgress: () => void) => unknown;
  return (await run(input, () => {})) as Awaited<ReturnType<Engines[Name]>>;
}
