import { stripTypeScriptTypes } from 'node:module';

/** What Node does with our own sources. Called by name it warns that it is experimental, which no operator has to know. */
export function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
