/** Counters of the transport since its start. Plain numbers, so that they can be exported by name. */
export function newCounters() {
  return {
    messagesReceived: 0,
    messagesSent: 0,
    bytesReceived: 0,
    bytesSent: 0,
    /** Not representable as SIP. */
    malformed: 0,
    /** Malformed requests that could be answered nevertheless. */
    malformedAnswered: 0,
    /** Streams that could no longer be framed. */
    framingErrors: 0,
    /** CRLF, and datagrams too short to be SIP. */
    keepAlives: 0,
    connectionsAccepted: 0,
    connectionsOpened: 0,
    connectionsClosed: 0,
    connectFailures: 0,
    refusedTotal: 0,
    refusedPerSource: 0,
    refusedHandshakes: 0,
    /** Completed TLS handshakes of accepted and opened connections. */
    handshakes: 0,
    handshakeFailures: 0,
    closedNoMessage: 0,
    closedSlowMessage: 0,
    closedIdle: 0,
    closedBacklog: 0,
    closedPingFlood: 0,
    closedNoPong: 0,
    closedUnacknowledged: 0,
    datagramsTooLong: 0,
    sendErrors: 0,
    /** Messages whose handling threw. */
    defects: 0,
  };
}

export type TransportCounters = ReturnType<typeof newCounters>;
