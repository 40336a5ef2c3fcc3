import { KEPT_RESULT_GRACE_MS, RESULT_LIFETIME_MS, RESULTS_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { reserveNothing, sourceName } from '../../../core/request_scope/request_scope.ts';
import { stemOfFileName } from '../../../core/storage/blobs/file_name.ts';
import {
  createHourlyFiles,
  type FileServiceOptions,
  fileNameIn,
  type ReadOptions,
} from '../../../core/storage/blobs/hourly_files.ts';

/** Types served as such; other files are served as application/octet-stream downloads. */
const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/apng': 'apng',
  'image/x-icon': 'ico',
  'image/tiff': 'tiff',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/zip': 'zip',
  'text/plain': 'txt',
  'text/css': 'css',
  'application/x-gimp-palette': 'gpl',
  'application/x-adobe-ase': 'ase',
  'image/vnd.dxf': 'dxf',
};
const CONTENT_TYPES = Object.fromEntries(
  Object.entries(EXTENSIONS).map(([type, extension]) => [extension, type]),
);

/** Results are plain files without a database row, so that free calls need no SQL. The extension encodes the type. */
export function createResults({
  objects,
  links,
  bytesMax = RESULTS_BYTES_MAX,
  quota,
  reserve = reserveNothing,
  now = Date.now,
}: FileServiceOptions): Results {
  const files = createHourlyFiles(objects, {
    lifetimeMs: RESULT_LIFETIME_MS,
    graceMs: KEPT_RESULT_GRACE_MS,
    bytesMax,
    quota,
    reserve,
    now,
  });

  const describeResult = (id: string, expiresAt: Date) => {
    const name = nameOf(id);
    return {
      handle: `result:${id}`,
      url: links.sign(pathOf(id), {}, expiresAt),
      expiresAt,
      ...(name !== undefined && { name }),
    };
  };

  return {
    async keep(bytes, contentType, { copies = 1, durable = false, fileName = sourceName() } = {}) {
      await reserve(bytes.length * copies);
      const options = { durable, fileName: fileName && stemOfFileName(fileName) };
      const { name, expiresAt } = await files.write(bytes, extensionOf(contentType), options);
      return describeResult(name, expiresAt);
    },
    async make(contentType, fill, fileName = sourceName()) {
      const known = fileName && stemOfFileName(fileName);
      const { name, expiresAt, ...file } = await files.make(extensionOf(contentType), fill, known);
      return { ...describeResult(name, expiresAt), ...file };
    },
    requireRoom: (bytes) => files.requireRoom(bytes),
    async open(id, options) {
      const bytes = await files.read(id, options);
      if (bytes) return { bytes, contentType: contentTypeOf(id) };
      throw notFound();
    },
    async stream(id) {
      const blob = await files.open(id);
      if (blob) return { blob, contentType: contentTypeOf(id) };
      throw notFound();
    },
    nameOf,
    linkTo: (id) => links.sign(pathOf(id), {}, files.expiryOf(id)),
    verifyLink: (id, expiresAt, signature) => links.verify(pathOf(id), {}, expiresAt, signature),
    sweep: (at) => files.sweep(at),
  };
}

const notFound = () =>
  new AtelierError(
    'result_not_found',
    'Result not found. Results are stored for 24 hours. Run the call again.',
  );

/** Name of the source file, with the extension of the result. */
function nameOf(id: string): string | undefined {
  const known = fileNameIn(id);
  const extension = id.slice(id.lastIndexOf('.') + 1);
  return known && `${known}.${extension}`;
}

const pathOf = (id: string): string => `/api/results/${id}`;
const extensionOf = (contentType: string): string =>
  EXTENSIONS[contentType.split(';', 1)[0]!.trim().toLowerCase()] ?? 'bin';
const contentTypeOf = (id: string): string =>
  CONTENT_TYPES[id.slice(id.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

/** Files produced by calls, stored for a day behind a signed link. */
export interface Results {
  /**
   * Stores a result. `id` is unguessable; `url` is signed and expires. `durable` syncs to disk (paid calls); `copies`: copies of
   * the bytes in memory until the end of the call; `fileName`: default: the name of the image of the call.
   * @throws AtelierError storage_full, too_much_kept, busy
   */
  keep(
    bytes: Uint8Array,
    contentType: string,
    options?: { durable?: boolean; copies?: number; fileName?: string | undefined },
  ): Promise<KeptResult>;
  /** Stores a file that `fill` writes to the given path: for files too large for memory. */
  make<T>(contentType: string, fill: (path: string) => Promise<T>, fileName?: string): Promise<MadeResult<T>>;
  /** Checks the total and the quota of the client without using them. @throws AtelierError storage_full, too_much_kept */
  requireRoom(bytes: number): Promise<void>;
  /** Reads a result. @throws AtelierError result_not_found; payload_too_large before anything is read; busy */
  open(id: string, options?: ReadOptions): Promise<{ bytes: Uint8Array; contentType: string }>;
  /** The same as a stream from the disk. @throws AtelierError result_not_found */
  stream(id: string): Promise<{ blob: Blob; contentType: string }>;
  /** File name derived from that of the client; undefined where the source had no name. */
  nameOf(id: string): string | undefined;
  /** The signed URL of a result, for its lifetime. */
  linkTo(id: string): string;
  /** Whether the signature of the link is valid and has not expired. */
  verifyLink(id: string, expiresAt: string, signature: string): boolean;
  /** Deletes expired files; returns their number. */
  sweep(now: Date): Promise<number>;
}

export interface KeptResult {
  /** `result:<id>` */
  readonly handle: string;
  readonly url: string;
  readonly expiresAt: Date;
  /** As `nameOf`. */
  readonly name?: string;
}

interface MadeResult<T> extends KeptResult {
  readonly sizeBytes: number;
  /** Result of `fill`. */
  readonly made: T;
}
