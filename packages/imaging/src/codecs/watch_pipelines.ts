/** Kind of a sharp pipeline that only decodes a file, or only encodes one. */
export type PipelinePart = 'decoding' | 'encoding';

/** `ended` settles with the pipeline. */
export type PipelineWatcher = (part: PipelinePart, ended: Promise<unknown>) => void;

let watcher: PipelineWatcher = () => {};

/** Registers a watcher for all pipelines. Engines have no clock; the caller measures. */
export function watchPipelines(watch: PipelineWatcher): void {
  watcher = watch;
}

/** The part of sharp's pipeline object that is used. */
export interface Pipeline {
  readonly options: { readonly input: { readonly rawWidth: number }; readonly formatOut: string };
}

/** Reports the start of a pipeline. One that decodes and encodes, row by row, is not reported: it is the engine's own work. */
export function tellPipeline({ options }: Pipeline, ended: Promise<unknown>): void {
  const [readsPixels, writesPixels] = [options.input.rawWidth > 0, options.formatOut === 'raw'];
  if (readsPixels !== writesPixels) watcher(writesPixels ? 'decoding' : 'encoding', ended);
}
