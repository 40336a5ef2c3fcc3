import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';

/** PGlite that does without the two things that made it large: see docs/decisions/0063-memory-of-the-embedded-database.md. */
export class LeanPGlite extends PGlite {
  #isParserCompiled = false;

  /** The first statement of a session comes from here; one of ours comes before it. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    if (!this.#isParserCompiled) await compilePlainly(() => this.exec('.').catch(() => {}));
    this.#isParserCompiled = true;
    await super._initArrayTypes(options);
  }
}

/**
 * Functions of WebAssembly that are called for the first time in this work stay as V8 first compiled them, however often they
 * are called: the counters that ask for the optimizing compiler are part of that code or not.
 */
async function compilePlainly(work: () => Promise<unknown>): Promise<void> {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
  try {
    await work();
  } finally {
    setFlagsFromString('--wasm-tier-up');
    setFlagsFromString('--wasm-dynamic-tiering');
  }
}
