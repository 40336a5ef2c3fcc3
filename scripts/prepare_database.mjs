/**
 * Runs after `npm ci`: makes the empty cluster of the embedded database once, so that the first start only unpacks it.
 * Nothing depends on it: without it the first start makes the cluster itself and takes a second longer.
 */
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.log(`Skipped: Node ${process.versions.node} cannot run the sources.`);
} else {
  const { openDatabase } = await import('../src/database/index.ts');
  const database = await openDatabase({ dataDir: 'memory' });
  await database.close();
}
