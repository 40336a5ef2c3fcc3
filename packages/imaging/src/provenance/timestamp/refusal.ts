/** A time stamp, or a response that should hold one, is not accepted. The message is a sentence for a person. */
export class TimeStampRefusal extends Error {
  override readonly name = 'TimeStampRefusal';
}
