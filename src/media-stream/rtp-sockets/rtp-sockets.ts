/** @param datagram valid until the call returns @param at monotonic milliseconds of its arrival */
export type DatagramListener = (datagram: Buffer, at: number) => void;

/**
 * One UDP socket. Errors that the network reports (nothing listens at the other end, no route) are ignored, as RTP ignores the loss of
 * packets.
 */
export interface RtpSocket {
  readonly port: number;
  /** Set in the turn in which the socket was opened. */
  listener: DatagramListener | undefined;
  /** Takes datagrams of that address alone; another call changes the peer. @param connected datagrams can be sent to it */
  connect(port: number, address: string, connected?: () => void): void;
  /** Without effect before it is connected. The datagram's memory may be used again when the call returns. */
  send(datagram: Buffer): void;
  /** Again: without effect. */
  close(): void;
}

/** An even port for RTP and the next one for RTCP (RFC 3550 §11). */
export interface RtpSocketPair {
  readonly rtp: RtpSocket;
  readonly rtcp: RtpSocket;
}

export type RtpSocketKind = 'native' | 'dgram';

/** The RTP sockets of a process. */
export interface RtpSockets {
  readonly kind: RtpSocketKind;
  /**
   * Binds a pair of ports; rejects if none is free.
   * @param port even; undefined: any
   */
  open(address: string, port?: number): Promise<RtpSocketPair>;
  /** Passes on what has arrived; called in each phase of the cadence. */
  read(): void;
}
