/** A request that cannot be answered as asked: the status, the text for the client, and further headers of the answer. */
export class RequestError extends Error {
  constructor(status, message, headers = {}, options = undefined) {
    super(message, options);
    this.status = status;
    this.headers = headers;
  }
}
