import type { Reporter, TestModule } from 'vitest/node';

/** Prints as the last line of a run how many tests were skipped, by the missing reference implementation. */
export default class CountSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const judge = test.meta().judge ?? (result.state === 'skipped' ? result.note : undefined);
        if (judge) counts.set(judge, (counts.get(judge) ?? 0) + 1);
      }
    }
    const missing = [...counts].map(([judge, count]) => `${judge} (${count})`);
    console.log(
      missing.length > 0
        ? `Skipped for want of: ${missing.join(', ')}\n`
        : 'Nothing was skipped for want of a judge.\n',
    );
  }
}
