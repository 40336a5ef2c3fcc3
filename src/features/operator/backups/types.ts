/** Backups of everything a server keeps, made while it serves; and the way back. */
export interface Backups {
  /** Adds a backup to a place, a folder or the address of a bucket: only what is not in one of its backups yet. @throws Error saying what to do */
  make(place: string, options: MakeOptions): Promise<MadeBackup>;
  /** Reads every byte of a backup and compares it with its checksum. @throws Error naming what is damaged */
  check(place: string, options: ChooseOptions): Promise<CheckedBackup>;
  /** Brings a backup to where the settings say things are kept, whole or not at all. @throws Error saying what to do */
  restore(place: string, options: RestoreOptions): Promise<RestoredBackup>;
  /** What the way back to before the last migration would undo. @throws Error where there is no snapshot */
  previewRollback(options: ChooseOptions): Promise<Rollback>;
  /** Goes that way. @throws Error while a server runs */
  rollBack(options: ChooseOptions): Promise<RestoredBackup>;
}

export interface ProgressOptions {
  /** How far it is, 0 to 1, and at what. */
  readonly onProgress?: ((fraction: number, message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MakeOptions extends ProgressOptions {
  /** How many backups the place keeps, this one among them; absent: all. */
  readonly keep?: number | undefined;
}

export interface ChooseOptions extends ProgressOptions {
  /** Name of a backup; absent: the newest. */
  readonly at?: string | undefined;
}

export interface RestoreOptions extends ChooseOptions {
  /** What is there is put aside; absent: where anything is, nothing is done. */
  readonly mayReplace: boolean;
}

export interface MadeBackup {
  readonly name: string;
  readonly rows: number;
  readonly blobs: number;
  /** All the bytes it needs, and those that came with it. */
  readonly bytes: number;
  readonly addedBytes: number;
  /** Blobs that the database names and the store has not, or not as they were kept. */
  readonly damaged: readonly string[];
  /** Names of backups that were removed. */
  readonly pruned: readonly string[];
}

/** The last backup of a database, as it remembers it. */
export interface LastBackup {
  readonly name: string;
  readonly madeAt: Date;
  /** On the machine that made it. */
  readonly folder: string;
  readonly bytes: number;
  readonly addedBytes: number;
  /** Blobs it should have and has not. */
  readonly damaged: number;
}

export interface CheckedBackup {
  readonly name: string;
  readonly objects: number;
  readonly bytes: number;
}

export interface RestoredBackup {
  readonly name: string;
  readonly rows: number;
  readonly blobs: number;
  /** Where what was there before is now. */
  readonly aside: readonly string[];
  /** Blobs that were damaged when the backup was made, and are not here. */
  readonly damaged: number;
}

export interface Rollback {
  readonly name: string;
  readonly madeAt: Date;
  /** The database as it is cannot be read, so that nothing is known of what has changed. */
  readonly isUnreadable?: true;
  /** Names of the migrations that are undone. */
  readonly migrations: readonly string[];
  /** Tables that have another number of rows now than they had then. */
  readonly changes: readonly { readonly table: string; readonly before: number; readonly now: number }[];
}
