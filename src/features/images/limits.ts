/** A result of this server that is used as an image. With its copy for an image process it fits what one call may hold in memory. */
export const RESULT_PICTURE_BYTES_MAX = 112 * 1024 * 1024;
