export const WORKSPACE_ACTS_MAX = 10_000;
export const WORKSPACE_BRANCHES_MAX = 100;
export const WORKSPACE_COMMENTS_MAX = 2_000;
export const WORKSPACE_LINKS_MAX = 20;
/** Authors per workspace; one with a public link may have many visitors. */
export const WORKSPACE_PEOPLE_MAX = 500;
/** Workspaces per server, in total. */
export const WORKSPACES_MAX = 100_000;
/** Bytes of all workspaces of one wallet, and of one workspace without a wallet. */
export const OWNER_BYTES_MAX = 512 * 1024 ** 2;
export const GUEST_BYTES_MAX = 100 * 1024 ** 2;
/** Lifetime of a workspace without a wallet, since its last change. */
export const GUEST_LIFETIME_MS = 7 * 86_400_000;

export const TITLE_CHARACTERS_MAX = 120;
export const CAPTION_CHARACTERS_MAX = 500;
export const COMMENT_CHARACTERS_MAX = 2_000;
export const BRANCH_CHARACTERS_MAX = 60;
export const PERSON_CHARACTERS_MAX = 40;
/** Coordinates on the page; 1 is one CSS px at zoom 1. */
export const POSITION_MAX = 1_000_000;

export const ITEMS_ADDED_MAX = 50;
export const ITEMS_EDITED_MAX = 200;
/** Results of one call that become items. */
export const OUTPUTS_MAX = 50;
export const ACTS_A_PAGE_MAX = 500;
/** Characters of stored JSON. */
export const ACT_INPUT_CHARACTERS_MAX = 64 * 1024;
export const ACT_ANSWER_CHARACTERS_MAX = 16 * 1024;

/** Events of a workspace that a client can resume from. */
export const EVENTS_KEPT = 2_000;
export const EVENTS_A_READ_MAX = 200;

/** Streams of one address; an IPv6 /64, /56 and /48 has 4, 16 and 64 times as many. */
export const STREAMS_PER_ADDRESS_MAX = 30;
export const STREAMS_PER_WORKSPACE_MAX = 200;
export const STREAMS_MAX = 2_000;
export const STREAM_LIFETIME_MS = 15 * 60_000;
export const HEARTBEAT_MS = 15_000;
/** Poll interval for changes to watched workspaces by other servers. */
export const POLL_MS = 300;
/** Timeout after which an unseen watcher counts as gone. */
export const WATCHER_LIFETIME_MS = 45_000;

export const PASS_LIFETIME_MS = 12 * 3_600_000;
/** Lifetime of the handle of an item in a call: as long as a job may wait and run. */
export const ITEM_HANDLE_LIFETIME_MS = 48 * 3_600_000;
/** Grace period after the deadline of a call, after which its act counts as interrupted. */
export const ACT_GRACE_MS = 60_000;

/** Longer side in lists and on a page with many images. */
export const TINY_SIDE_PX = 128;
export const THUMBNAIL_SIDE_PX = 320;
export const LARGE_SIDE_PX = 1_600;

/** Cache size of thumbnails and contact sheets per process; a thumbnail has about 15 kB. */
export const DRAWN_BYTES_MAX = 48 * 1024 ** 2;

/** Output formats of the calls that led to an item. */
export const PROGRAM_FORMS = ['recipe', 'curl', 'mcp', 'typescript', 'python'] as const;

/** Rate limit of new workspaces per client. */
export const NEW_WORKSPACES = { name: 'new-workspaces', calls: 20, perSeconds: 3600 } as const;

/** Items per contact sheet. */
export const SHEET_ITEMS_MAX = 24;
/** Images of a sheet in memory at once; each may have `WORKSPACE_ITEM_BYTES_MAX`. */
export const SHEET_IMAGES_AT_ONCE = 2;
/** Entries next to the sheet. Their number and length keep the response of a full workspace below 1,500 tokens. */
export const SHEET_ACTS_MAX = 6;
export const SHEET_COMMENTS_MAX = 4;
export const SHEET_BRANCHES_MAX = 6;
/** Characters of names in the list. */
export const SHEET_NAME_CHARACTERS = 24;
export const SHEET_COMMENT_CHARACTERS = 160;

/** Bytes of JSON lines per part of a workspace in an archive; one more line may be in it. */
export const ARCHIVE_PART_BYTES_MAX = 4 * 1024 ** 2;
/** Inputs and responses of acts in an archive, for all workspaces of a wallet; those of older acts are omitted. */
export const ARCHIVE_TEXT_CHARACTERS_MAX = 64 * 1024 ** 2;
export const ARCHIVE_ACTS_A_READ = 200;
export const ARCHIVE_ROWS_A_STATEMENT = 500;
