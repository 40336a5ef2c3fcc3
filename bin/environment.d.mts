/** What can only be told to a process when it starts: settings of its memory allocator. */
export declare const ALLOCATOR: Readonly<Record<string, string>>;
