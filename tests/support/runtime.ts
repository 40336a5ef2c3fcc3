/**
 * Refuses to run the suite on a Node that cannot run TypeScript: worker threads load the sources directly.
 */
export default function requireNode24(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) {
    throw new Error(
      `The tests need Node 24; this is ${process.version}. Run them with "npm test", which uses the Node that "npm ci" installs.`,
    );
  }
}
