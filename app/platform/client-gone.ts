/** Whoever sent the request hung up before it had come in full. There is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}
