/** libuv reads no more datagrams of a socket in one turn of the event loop. */
const mostPerTurn = 32;

/**
 * Calls `then` once the datagrams that have arrived are read, which takes several turns of the event loop after a long stall of the process.
 * @param received the socket's datagrams so far
 * @param then gets the moment (`performance.now()`) before which all arrived ones are read: the process may stall after that
 */
export function afterArrived(received: () => number, then: (readUntil: number) => void): void {
  const before = received();
  const began = performance.now();
  setImmediate(() => {
    if (received() - before < mostPerTurn) then(began);
    else afterArrived(received, then);
  });
}
