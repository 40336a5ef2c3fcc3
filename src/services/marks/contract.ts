/** Payloads of watermarks by the short id that rides along in the picture and survives longer than a long text. */
export interface Marks {
  /** Keeps a payload and answers its id: 12 hex digits, the same for the same payload of the same wallet. */
  register(payload: string, wallet?: string): Promise<string>;
  /** Until when a mark that is registered now is found; undefined: for good. */
  until(wallet: string | undefined): Date | undefined;
  /** Forgets marks without a wallet whose time is over; answers how many. */
  sweep(now: Date): Promise<number>;
  find(id: string): Promise<Mark | undefined>;
}

export interface Mark {
  readonly id: string;
  readonly payload: string;
  readonly wallet?: string;
  readonly createdAt: Date;
}
