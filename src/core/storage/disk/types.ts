/** Whether the disk takes more: a watermark, so that what has to be written (money, the log) always can be. */
export interface Disk {
  /** @throws AtelierError storage_full where these bytes would leave too little */
  requireRoom(bytes?: number): Promise<void>;
  hasRoom(): Promise<boolean>;
  /** Bytes that may still be kept; below zero where less is free than must stay so. */
  spareBytes(): Promise<number>;
}
