import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { EVENT_LOOP_LOOK_MS } from './limits.ts';
import type { Source } from './types.ts';

/** How this process and its event loop are, the latter since the last look. */
export function describeProcess(): Source {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_LOOK_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  // What it measures is the time between two looks.
  const lagSeconds = (percentile: number) =>
    Math.max(0, delay.percentile(percentile) / 1e9 - EVENT_LOOP_LOOK_MS / 1000);
  return (tell) => {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const loop = performance.eventLoopUtilization();
    tell('process_start_time_seconds', {}, performance.timeOrigin / 1000);
    tell('process_cpu_seconds_total', {}, (user + system) / 1e6);
    tell('process_resident_memory_bytes', {}, rss);
    tell('nodejs_heap_size_used_bytes', {}, heapUsed);
    tell('nodejs_external_memory_bytes', {}, external);
    tell('nodejs_eventloop_lag_p50_seconds', {}, lagSeconds(50));
    tell('nodejs_eventloop_lag_p99_seconds', {}, lagSeconds(99));
    tell(
      'nodejs_eventloop_utilization_ratio',
      {},
      performance.eventLoopUtilization(loop, before).utilization,
    );
    before = loop;
    delay.reset();
  };
}
