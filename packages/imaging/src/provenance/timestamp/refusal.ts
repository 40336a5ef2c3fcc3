/** A rejected time stamp or response. The message is a sentence for people. */
export class TimeStampRefusal extends Error {
  override readonly name = 'TimeStampRefusal';
}
