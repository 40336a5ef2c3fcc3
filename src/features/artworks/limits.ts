/** Above the size of any museum's catalogue. Together with the inflation limit per byte, it stops decompression bombs. */
export const DATASET_FILE_BYTES_MAX = 64 * 1024 ** 3;
export const DATASET_INFLATION_MAX = 200;
/** Small files may exceed the inflation ratio up to this size. */
export const DATASET_INFLATION_GRACE_BYTES = 64 * 1024 * 1024;
/** One row of a museum's file. Real ones reach 200 kB. */
export const DATASET_ROW_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Elements of one XML record, and levels of them. Real records have a few hundred, six levels deep. */
export const DATASET_XML_ELEMENTS_MAX = 20_000;
export const DATASET_XML_DEPTH_MAX = 100;
/** Columns of a CSV file. The widest real one, of the Met, has 54. */
export const DATASET_CSV_COLUMNS_MAX = 1000;
/** A saved API response, which is parsed as a whole. */
export const DATASET_ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/**
 * A download slower than this many bytes per stall period is retried, up to the number of attempts, with a pause that doubles each time.
 */
export const DATASET_DOWNLOAD_STALL_MS = 60_000;
export const DATASET_DOWNLOAD_STALL_BYTES = 16 * 1024;
export const DATASET_DOWNLOAD_TRIES = 6;
export const DATASET_DOWNLOAD_PAUSE_MS = 1000;
/** Longest pause a museum may ask for. Beyond it, the download is given up. */
export const DATASET_DOWNLOAD_PAUSE_MS_MAX = 120_000;
/** A page with the terms of use of a museum. */
export const MUSEUM_TERMS_BYTES_MAX = 8 * 1024 * 1024;
/** Invalid rows quoted in the report of an import. The others are only counted. */
export const DATASET_QUOTES_MAX = 20;
/** Works per transaction. On the embedded database, a transaction blocks all other queries. */
export const DATASET_BATCH_ROWS = { embedded: 100, postgresql: 500 };
/** Young generation of the thread that reads a museum's file. Its objects are short-lived, so a larger heap would only fill later. */
export const DATASET_READING_YOUNG_MIB = 32;
/** Distinct words an import counts in memory before it flushes them. */
export const DATASET_WORDS_COUNTED_MAX = 200_000;
/** An import without a write for this long has died. Another one may take over. */
export const DATASET_TAKEOVER_MS = 120_000;
/** Largest share of a museum's works an import may replace without explicit permission. More suggests that the file is the wrong one. */
export const DATASET_LOSS_SHARE_MAX = 0.1;
/** Maximum size of an image of a museum, and of the record that names it. */
export const ARTWORK_PICTURE_BYTES_MAX = 64 * 1024 * 1024;
export const ARTWORK_RECORD_BYTES_MAX = 1024 * 1024;
export const ARTWORK_FETCH_TIMEOUT_MS = 30_000;
/** Image cache. The least recently requested image is evicted first. */
export const ARTWORK_CACHE_BYTES_MAX = 4 * 1024 ** 3;
/** Timeouts of a museum's API: for one response, and for all responses of one work. */
export const LIVE_ANSWER_TIMEOUT_MS = 10_000;
export const LIVE_WORK_TIMEOUT_MS = 40_000;
/** Time to live of museum responses about a work. */
export const LIVE_FRESH_MS = 30 * 24 * 3_600_000;
/** Negative cache of works that could not be fetched: time to live and size. */
export const LIVE_FAILED_MS = 60_000;
export const LIVE_FAILED_WORKS_MAX = 1000;
/** Pause between two requests to any museum, and between two image requests to the same museum. */
export const MUSEUMS_PAUSE_MS = 100;
export const MUSEUM_PICTURES_PAUSE_MS = 200;
/** A request that would wait longer in the rate limiter is not sent. */
export const MUSEUM_TURN_MS_MAX = 10_000;
/** Circuit breaker: consecutive failures before a museum is skipped, for the first pause, which then doubles each time. */
export const MUSEUM_FAILURES_MAX = 3;
export const MUSEUM_REST_MS = 30_000;
export const MUSEUM_REST_MS_MAX = 3_600_000;
export const ARTWORK_LINK_LIFETIME_MS = 24 * 3_600_000;
/** Image links expire on the hour, so they may last this much longer. */
export const ARTWORK_LINK_STEP_MS = 3_600_000;
/** Total size of the images queued for visual descriptors. */
export const LOOKS_WAITING_BYTES_MAX = 128 * 1024 * 1024;
/** Visually most similar works, before the words of a search filter them. */
export const LOOK_CANDIDATES_MAX = 10_000;
/**
 * Palettes compared by amounts, at 70 µs each: those nearest by a lower bound of that distance, which takes 1
 * µs.
 */
export const PALETTES_COMPARED_MAX = 2_000;
/** Criteria of similarity between works. */
export const SIMILARITY_CRITERIA = ['composition', 'color', 'subject'] as const;
export type SimilarityCriterion = (typeof SIMILARITY_CRITERIA)[number];
/** Works with the most similar subjects, before words and filters select among them. */
export const SUBJECT_CANDIDATES_MAX = 1_000;
/** Maximum number of subjects and title words of a work that are searched for. */
export const SUBJECT_TERMS_MAX = 12;
export const SUBJECT_TITLE_WORDS_MAX = 6;
/** Upper limit for embedding models. The largest of today have 4,096 dimensions. */
export const EMBEDDING_DIMENSIONS_MAX = 8192;
/** HNSW indexes of pgvector support at most this many dimensions in half precision. */
export const VECTOR_INDEX_DIMENSIONS_MAX = 4000;
/** Counting vectors in PostgreSQL scans an index, so the count is cached this long. */
export const VECTOR_COUNT_FRESH_MS = 60_000;
/** Text of a work is cut to this length before embedding. */
export const EMBEDDING_TEXT_CHARACTERS_MAX = 2000;
/** Works per embedding request. */
export const EMBEDDING_BATCH_TEXTS = 64;
export const EMBEDDING_TIMEOUT_MS = 60_000;
/** A search gives up on the embedding of its query after this. */
export const EMBEDDING_QUERY_TIMEOUT_MS = 3000;
/** After a failure, searches use full text only for this long. */
export const EMBEDDING_PAUSE_MS = 30_000;
/** Total size of the images queued for image embedding. */
export const SIGHT_WAITING_BYTES_MAX = 128 * 1024 * 1024;
/** A search gives up on the embedding of its query after this. */
export const SIGHT_QUERY_WAIT_MS = 1500;
export const SIGHT_QUERIES_REMEMBERED = 500;
/** The installed encoder pair is looked up again after this. */
export const SIGHT_NETWORK_FRESH_MS = 10_000;
/** Works per batch when the catch-up run looks for cached images without an embedding. */
export const SIGHT_CATCH_UP_ROWS = 500;
/** In a search by image and words, this many works nearest to the words count as matching them. */
export const SIGHT_FITTING_MAX = 500;
/** Number of readable editions and their minimum lifetime: clients page through one edition while imports go on. */
export const EDITIONS_KEPT = 20;
/** Works per page of changes between two editions. */
export const SNAPSHOT_CHANGES_MAX = 5_000;
export const EDITION_LIFETIME_MS_MIN = 48 * 3_600_000;
/** Works of expired editions deleted per statement. */
export const EDITION_ROWS_A_ROUND = 5000;
/** Cache of posting lists. The index of 53,000 works takes about 5 MB of it. */
export const SEARCH_MEMORY_BYTES_MAX = 64 * 1024 * 1024;
/** How long a search waits for an index that must be built first. */
export const SEARCH_INDEX_WAIT_MS = 20_000;
/** IIIF: the largest image rendered, and the tile size announced to viewers. */
export const IIIF_SIDE_PX_MAX = 8192;
export const IIIF_AREA_MAX = 4096 * 4096;
export const IIIF_TILE_PX = 512;
/** Image pyramids, and the cache of rendered regions. */
export const IIIF_PYRAMIDS_BYTES_MAX = 8 * 1024 ** 3;
export const IIIF_TILES_BYTES_MAX = 512 * 1024 ** 2;
/** Regions rendered at once per address, and queue length per address. */
export const IIIF_TILES_AT_ONCE = 4;
export const IIIF_TILES_WAITING_MAX = 96;
/** Images fetched at once per address, and queue length per address. */
export const IIIF_PICTURES_AT_ONCE = 2;
export const IIIF_PICTURES_WAITING_MAX = 16;
/** Queue length of all addresses together. */
export const IIIF_WAITING_MAX = 1024;
/** Works per collection page of a museum, and changes per page. */
export const IIIF_PART_WORKS = 500;
export const IIIF_PAGE_CHANGES = 1000;
/**
 * A mirror run waits at most this long if a museum asks for a pause, and gives up after this many consecutive
 * failures.
 */
export const MIRROR_WAIT_MS_MAX = 120_000;
export const MIRROR_FAILURES_MAX = 10;
/** Works per batch while a snapshot file is written, and number of editions whose files are kept. */
export const SNAPSHOT_READ_ROWS = 250;
export const SNAPSHOT_FILES_KEPT = 3;
/** How long a client waits for a snapshot file, and its `Retry-After`. */
export const SNAPSHOT_WAIT_MS = 20_000;
export const SNAPSHOT_RETRY_SECONDS = 30;
/** A draft without a write for this long was left by a process that died. */
export const SNAPSHOT_DRAFT_MS = 3_600_000;
/** Assumed records per page of a repository, and a factor for records that are not free or have no image. */
export const HARVEST_RECORDS_A_PAGE = 20;
export const HARVEST_SPARE = 2;
/** Timeout for asking museums for their file sizes, and number of files asked for per museum. */
export const DATASET_SIZE_TIMEOUT_MS = 3000;
export const DATASET_SIZE_FILES_MAX = 8;

/** Fields whose values are listed with counts. */
export const VOCABULARY_NAMES = ['artist', 'subject', 'place', 'kind', 'department'] as const;
export type VocabularyName = (typeof VOCABULARY_NAMES)[number];
/**
 * Works per statement while values are counted. One statement blocks the embedded database for about 10 ms
 * (estimate).
 */
export const VOCABULARY_READ_ROWS = 2_000;

/**
 * Relation of a place to a work: where it was made or found, or what it shows. `named`: the record only gives
 * the name.
 */
export const PLACE_KINDS = ['made', 'shown', 'found', 'named'] as const;
