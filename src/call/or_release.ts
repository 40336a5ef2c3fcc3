/** Runs `work`; releases and throws on where it fails. */
export async function orRelease<T>(work: () => Promise<T>, release: () => Promise<void>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await release();
    throw error;
  }
}
