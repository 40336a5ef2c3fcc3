/** Environment variables that only take effect at process start: settings of the memory allocator. */
export declare const ALLOCATOR: Readonly<Record<string, string>>;
