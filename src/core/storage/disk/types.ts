/** Disk watermark: keeps space for required writes (ledger, log). */
export interface Disk {
  /** @throws AtelierError storage_full where these bytes would exceed the watermark */
  requireRoom(bytes?: number): Promise<void>;
  hasRoom(): Promise<boolean>;
  /** Bytes that may still be stored; negative below the watermark. */
  spareBytes(): Promise<number>;
}
