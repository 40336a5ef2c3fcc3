import { readProgram } from '../../config/program.ts';

/** The version and build of this program, and the Node it runs on. */
export function version(): string {
  const { version: ours, build } = readProgram();
  return `atelier ${ours} (${build}, Node ${process.versions.node})`;
}
