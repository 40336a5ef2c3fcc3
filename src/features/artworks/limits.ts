/** Larger than any museum's catalogue; with what it may inflate to per byte, it stops bombs. */
export const DATASET_FILE_BYTES_MAX = 64 * 1024 ** 3;
export const DATASET_INFLATION_MAX = 200;
/** A small file may inflate to more than that. */
export const DATASET_INFLATION_GRACE_BYTES = 64 * 1024 * 1024;
/** One row of a museum's file. Real ones reach 200 kB. */
export const DATASET_ROW_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Elements of one XML record, and levels of them. Real records have a few hundred, six levels deep. */
export const DATASET_XML_ELEMENTS_MAX = 20_000;
export const DATASET_XML_DEPTH_MAX = 100;
/** Columns of a CSV file. The widest real one, of the Met, has 54. */
export const DATASET_CSV_COLUMNS_MAX = 1000;
/** An answer of an interface saved as a file, which is read whole. */
export const DATASET_ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** A download that brings fewer bytes than these for so long is tried again, so many times in all, after this pause and twice as long each time. */
export const DATASET_DOWNLOAD_STALL_MS = 60_000;
export const DATASET_DOWNLOAD_STALL_BYTES = 16 * 1024;
export const DATASET_DOWNLOAD_TRIES = 6;
export const DATASET_DOWNLOAD_PAUSE_MS = 1000;
/** A museum may ask for a longer pause; beyond this it is given up for now. */
export const DATASET_DOWNLOAD_PAUSE_MS_MAX = 120_000;
/** A page on which a museum says what may be done with its works. */
export const MUSEUM_TERMS_BYTES_MAX = 8 * 1024 * 1024;
/** Bad rows that are quoted in the report of an import; the others are only counted. */
export const DATASET_QUOTES_MAX = 20;
/** Works a transaction. On the embedded database everybody waits for one. */
export const DATASET_BATCH_ROWS = { embedded: 100, postgresql: 500 };
/** The thread that reads a museum's file: what it makes is short-lived, and a larger room for it would only be filled later. */
export const DATASET_READING_YOUNG_MIB = 32;
/** Different words an import counts in memory before it writes them down. */
export const DATASET_WORDS_COUNTED_MAX = 200_000;
/** An import that has written nothing for so long has died, and another one may take over. */
export const DATASET_TAKEOVER_MS = 120_000;
/** Largest share of a museum's works an import may replace without explicit permission. More suggests that the file is the wrong one. */
export const DATASET_LOSS_SHARE_MAX = 0.1;
/** A museum's picture, and the record that names it. */
export const ARTWORK_PICTURE_BYTES_MAX = 64 * 1024 * 1024;
export const ARTWORK_RECORD_BYTES_MAX = 1024 * 1024;
export const ARTWORK_FETCH_TIMEOUT_MS = 30_000;
/** Pictures of museums that are kept; what was not asked for the longest goes first. */
export const ARTWORK_CACHE_BYTES_MAX = 4 * 1024 ** 3;
/** A museum's interface may take so long for one answer, and all of them for one work. */
export const LIVE_ANSWER_TIMEOUT_MS = 10_000;
export const LIVE_WORK_TIMEOUT_MS = 40_000;
/** What was read of a work at its museum is asked for again after this. */
export const LIVE_FRESH_MS = 30 * 24 * 3_600_000;
/** A work that could not be had is not asked for again for so long, and so many such works are remembered. */
export const LIVE_FAILED_MS = 60_000;
export const LIVE_FAILED_WORKS_MAX = 1000;
/** Between two requests to museums, of all of them together, and between two for pictures of one. */
export const MUSEUMS_PAUSE_MS = 100;
export const MUSEUM_PICTURES_PAUSE_MS = 200;
/** A request that would have to wait longer for its turn is not made. */
export const MUSEUM_TURN_MS_MAX = 10_000;
/** After so many failures on end a museum is left alone, the first time for so long, then twice as long each time. */
export const MUSEUM_FAILURES_MAX = 3;
export const MUSEUM_REST_MS = 30_000;
export const MUSEUM_REST_MS_MAX = 3_600_000;
export const ARTWORK_LINK_LIFETIME_MS = 24 * 3_600_000;
/** Links to pictures end on the hour, so they last up to so much longer. */
export const ARTWORK_LINK_STEP_MS = 3_600_000;
/** Pictures that may wait to have their looks measured, together. */
export const LOOKS_WAITING_BYTES_MAX = 128 * 1024 * 1024;
/** The likest works, of which those are taken that fit the words of a search. */
export const LOOK_CANDIDATES_MAX = 10_000;
/** The most dimensions a model of embeddings may have; the largest of today have 4096. */
export const EMBEDDING_DIMENSIONS_MAX = 8192;
/** The longest text of a work to be embedded. */
export const EMBEDDING_TEXT_CHARACTERS_MAX = 2000;
/** Works embedded with one request. */
export const EMBEDDING_BATCH_TEXTS = 64;
export const EMBEDDING_TIMEOUT_MS = 60_000;
/** A search waits no longer for the vector of its words. */
export const EMBEDDING_QUERY_TIMEOUT_MS = 3000;
/** After a failure searches go by words alone for so long. */
export const EMBEDDING_PAUSE_MS = 30_000;
/** Pictures that may wait to be encoded for being found by what they show, together. */
export const SIGHT_WAITING_BYTES_MAX = 128 * 1024 * 1024;
/** A search waits no longer for the vector of its words. */
export const SIGHT_QUERY_WAIT_MS = 1500;
export const SIGHT_QUERIES_REMEMBERED = 500;
/** Whether a pair of encoders is installed is looked up again after this. */
export const SIGHT_NETWORK_FRESH_MS = 10_000;
/** Works looked through at a time for kept pictures that were not encoded yet. */
export const SIGHT_CATCH_UP_ROWS = 500;
/** Beside a picture, so many works nearest to the words count as having what the words say. */
export const SIGHT_FITTING_MAX = 500;
/** Editions that can still be read, and for how long at least: pages of one follow each other while imports go on. */
export const EDITIONS_KEPT = 20;
export const EDITION_LIFETIME_MS_MIN = 48 * 3_600_000;
/** Works of editions that are let go of, deleted in one step. */
export const EDITION_ROWS_A_ROUND = 5000;
/** Lists of words that search keeps in memory. The index of 53,000 works takes about 5 MB of it. */
export const SEARCH_MEMORY_BYTES_MAX = 64 * 1024 * 1024;
/** How long a search waits for an index that has to be made first. */
export const SEARCH_INDEX_WAIT_MS = 20_000;
/** IIIF: the largest picture that is made, and the side of the tiles that viewers are told to ask for. */
export const IIIF_SIDE_PX_MAX = 8192;
export const IIIF_AREA_MAX = 4096 * 4096;
export const IIIF_TILE_PX = 512;
/** Pictures kept as tiles in several sizes, and parts of pictures that were made before. */
export const IIIF_PYRAMIDS_BYTES_MAX = 8 * 1024 ** 3;
export const IIIF_TILES_BYTES_MAX = 512 * 1024 ** 2;
/** Parts of pictures that are made for one address at once, and those that may wait for it. */
export const IIIF_TILES_AT_ONCE = 4;
export const IIIF_TILES_WAITING_MAX = 96;
/** Pictures that are brought here for one address at once, and those that may wait for it. */
export const IIIF_PICTURES_AT_ONCE = 2;
export const IIIF_PICTURES_WAITING_MAX = 16;
/** What waits of all addresses together. */
export const IIIF_WAITING_MAX = 1024;
/** Works of a museum in one part of its collection, and changes on one page. */
export const IIIF_PART_WORKS = 500;
export const IIIF_PAGE_CHANGES = 1000;
/** A run of the mirror waits at most so long where a museum asks for a pause, and gives it up after so many failures on end. */
export const MIRROR_WAIT_MS_MAX = 120_000;
export const MIRROR_FAILURES_MAX = 10;
/** Works read at a time while the file of a snapshot is written, and files of how many editions are kept. */
export const SNAPSHOT_READ_ROWS = 250;
export const SNAPSHOT_FILES_KEPT = 3;
/** How long a caller waits for the file of a snapshot to be made, and when to ask again. */
export const SNAPSHOT_WAIT_MS = 20_000;
export const SNAPSHOT_RETRY_SECONDS = 30;
/** A draft without a write for this long was left by a process that died. */
export const SNAPSHOT_DRAFT_MS = 3_600_000;
/** How long museums have to say how large their files are, and of how many files each is asked. */
export const DATASET_SIZE_TIMEOUT_MS = 3000;
export const DATASET_SIZE_FILES_MAX = 8;
