/** What a pipeline of sharp does that only reads a file into pixels, or only writes pixels into a file. */
export type PipelinePart = 'decoding' | 'encoding';

/** `ended` settles when the pipeline has. */
export type PipelineWatcher = (part: PipelinePart, ended: Promise<unknown>) => void;

let watcher: PipelineWatcher = () => {};

/** From now on this is called for every pipeline that begins. Engines have no clock: the caller passes one. */
export function watchPipelines(watch: PipelineWatcher): void {
  watcher = watch;
}

/** What sharp keeps of a pipeline, as far as it is read here. */
export interface Pipeline {
  readonly options: { readonly input: { readonly rawWidth: number }; readonly formatOut: string };
}

/** A pipeline has begun. One that goes from file to file does both at once, row by row: that is the engine's own work. */
export function tellPipeline({ options }: Pipeline, ended: Promise<unknown>): void {
  const [readsPixels, writesPixels] = [options.input.rawWidth > 0, options.formatOut === 'raw'];
  if (readsPixels !== writesPixels) watcher(writesPixels ? 'decoding' : 'encoding', ended);
}
