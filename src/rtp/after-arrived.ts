/** libuv reads no more datagrams of a socket in one turn of the event loop. */
const mostPerTurn = 32;
/** Then it is a flood: so many turns read 40 s of audio in packets of 20 ms. */
const mostTurns = 64;

/**
 * Calls `then` once the datagrams that have arrived are read, which takes several turns of the event loop after a long stall of the process.
 * @param received the socket's datagrams so far
 * @param then gets the moment (`performance.now()`) before which all arrived ones are read: the process may stall after that
 */
export function afterArrived(
  received: () => number,
  then: (readUntil: number) => void,
  turns = mostTurns,
): void {
  const before = received();
  const began = performance.now();
  setImmediate(() => {
    if (received() - before < mostPerTurn || turns === 1) then(began);
    else afterArrived(received, then, turns - 1);
  });
}
