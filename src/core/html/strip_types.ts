import { stripTypeScriptTypes } from 'node:module';

/** Node's own type stripping. Imported by name it prints an experimental warning, which operators need not see. */
export function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
