/** 0x and hex. The signature of a wallet that is not deployed yet contains its deployment call. */
export const SIGNATURE_CHARACTERS_MAX = 20_000;
/** EIP-155 sets no bound; larger numbers are not exact in JSON. */
export const CHAIN_ID_MAX = Number.MAX_SAFE_INTEGER;
export const KEY_TOOLS_MAX = 100;
export const KEY_CAP_CREDITS_MAX = 1_000_000_000;
export const STATEMENT_ENTRIES_MAX = 1000;
export const STATEMENT_CSV_ROWS_MAX = 10_000;
