import type { Body } from '@atelier/client/transport.ts';
import type { Config } from '../../config/config.ts';
import { megabytes } from './models.ts';
import { progressView } from './progress.ts';
import { replaceControls } from './terminal.ts';
import type { World } from './world.ts';

/**
 * Before a call in this process, downloads the models that its tool runs and lacks. A failure is reported,
 * and the call continues with the installed models; its result then says that it is degraded.
 */
export async function fetchMissing(
  call: { readonly tool: string; readonly input: Body },
  config: Config,
  world: Pick<World, 'openModels' | 'terminal' | 'signal'>,
): Promise<void> {
  const { missingFor, rememberFailure } = await import('../../features/models/setup/fetch_for_call.ts');
  const { stderr } = world.terminal;
  const missing = await missingFor(call, config, () => world.openModels(config));
  for (const { name, bytes = 0, licence } of missing) {
    stderr.write(
      `${call.tool} needs the model ${name}, which is downloaded once: ${megabytes(bytes)}, ${licence}. Set MODELS_PULL=none to disable this.\n`,
    );
    const view = progressView(stderr);
    const onProgress = (done: number, all: number) => view.show(done / all, name);
    try {
      await (await world.openModels(config)).pull(name, { signal: world.signal, onProgress });
    } catch (error) {
      if (world.signal.aborted) throw error;
      view.clear();
      stderr.write(`${name} was not downloaded. ${replaceControls((error as Error).message)}\n`);
      return rememberFailure(config);
    } finally {
      view.clear();
    }
  }
}
