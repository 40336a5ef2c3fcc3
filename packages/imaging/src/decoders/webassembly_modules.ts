import { EngineError } from '../errors/engine_error.ts';
import type { DecoderModule, DecoderResources } from './types.ts';

const compiled = new Map<DecoderModule, WebAssembly.Module>();

/**
 * Compiles a decoder's module once in this process. Each file gets an instance of its own, so that memory is returned and what a
 * hostile file breaks ends with it.
 * @throws EngineError unsupported_image where the package is not installed
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

/** The hooks with which a program made by Emscripten opens a compiled module, and prints nothing. */
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

/** Programs made by Emscripten listen for errors of the whole process; these are not theirs to handle. */
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
