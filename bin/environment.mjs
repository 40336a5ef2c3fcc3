/**
 * Variables that only take effect at process start. glibc keeps a memory arena per few threads and does not return freed memory:
 * a single trimmed arena uses 60 MB less at rest. Larger blocks are mapped separately and returned too; mapping also the 32 KiB
 * blocks of V8's compilers cost 0.5 s of CPU time per start.
 * See docs/decisions/0020-image-processes-and-fixed-costs.md.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};
