import { EngineError } from '../errors/engine_error.ts';
import type { DecoderModule, DecoderResources } from './types.ts';

const compiled = new Map<DecoderModule, WebAssembly.Module>();

/**
 * Compiles a decoder's module once per process. Each file gets its own instance, so that its memory is returned and damage by a hostile file ends
 * with it.
 * @throws EngineError unsupported_image if the package is not installed
 */
export function compileModule(
  name: DecoderModule,
  format: string,
  { readModule }: Pick<DecoderResources, 'readModule'>,
): WebAssembly.Module {
  const known = compiled.get(name);
  if (known) return known;
  const bytes = readModule(name);
  if (!bytes)
    throw new EngineError(
      'unsupported_image',
      `This server reads no ${format}: the optional package ${name} is not installed. Send the picture as JPEG or PNG, or ask the operator to install it.`,
    );
  const module = new WebAssembly.Module(bytes);
  compiled.set(name, module);
  return module;
}

/** Emscripten hooks that instantiate a compiled module and suppress its output. */
export const emscriptenHooks = (module: WebAssembly.Module) => ({
  print: () => {},
  printErr: () => {},
  instantiateWasm(
    imports: Record<string, Record<string, unknown>>,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) {
    const instance = new WebAssembly.Instance(module, imports);
    done(instance, module);
    return instance.exports;
  },
});

/** Emscripten programs install error listeners on the whole process; this removes them. */
export async function withoutProcessListeners<T>(open: () => Promise<T>): Promise<T> {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = new Map(events.map((event) => [event, process.listeners(event as 'uncaughtException')]));
  try {
    return await open();
  } finally {
    for (const [event, listeners] of before)
      for (const listener of process.listeners(event as 'uncaughtException'))
        if (!listeners.includes(listener)) process.removeListener(event, listener);
  }
}
