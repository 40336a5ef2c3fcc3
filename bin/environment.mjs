/**
 * What can only be told to a process when it starts. glibc keeps an area of memory for every few threads, and what is freed stays
 * with them: one area that is given back leaves 60 MB less at rest. Larger pieces are apart from
 * what stays and given back too; mapping also those of 32 KiB that V8's compilers take cost half a second of processor time in a start.
 * See docs/decisions/0020-image-processes-and-fixed-costs.md.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};
