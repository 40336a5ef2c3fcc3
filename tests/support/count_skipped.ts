import type { Reporter, TestModule } from 'vitest/node';

/** Prints as the last line of a run how many tests were skipped, by the missing requirement. */
export default class CountSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const requirement = test.meta().requirement ?? (result.state === 'skipped' ? result.note : undefined);
        if (requirement) counts.set(requirement, (counts.get(requirement) ?? 0) + 1);
      }
    }
    const missing = [...counts].map(([requirement, count]) => `${requirement} (${count})`);
    console.log(
      missing.length > 0
        ? `Skipped because of missing requirements: ${missing.join(', ')}\n`
        : 'No test was skipped because of a missing requirement.\n',
    );
  }
}
