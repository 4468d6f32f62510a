/** The client closed the connection before its request was complete. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}
