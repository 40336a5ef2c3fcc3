declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net';
  /** A third-party S3 server on a folder. Its keys are S3RVER and S3RVER. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: readonly { name: string }[];
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
