/**
 * Runs after `npm ci`: creates the empty cluster of the embedded database once, so that the first start only
 * copies it and tests only unpack it.
 * Optional: without it the first start creates the cluster itself and takes a second longer.
 */
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.log(`Skipped: Node ${process.versions.node} cannot run the sources.`);
} else {
  const { makeTemplate } = await import('../src/core/database/make_template.ts');
  const { openDatabase } = await import('../src/core/database/open_database.ts');
  await makeTemplate();
  const snapshot = await openDatabase({ dataDir: 'memory' });
  await snapshot.close();
}
