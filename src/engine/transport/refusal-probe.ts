import { createSocket } from 'node:dgram';
import { familyOf } from '../../naming/address.js';
import { isPrivate } from '../../naming/address-scope.js';
import type { Clock } from '../clock.js';

/** On a private network neither the ICMP message nor a first response takes longer. */
const waitMilliseconds = 300;

/** A target that did not refuse is not probed again within this time. */
const trustMilliseconds = 5_000;

/** A peer that refuses only our second socket keeps doing so: its socket is connected, or a firewall knows one of our ports. */
const refusalOfProbeMilliseconds = 600_000;

const maximumProbes = 256;
const maximumTrusted = 4_096;

/** CRLF is what RFC 5626 peers send between messages; SIP servers ignore it on UDP. */
const nothing = Buffer.from('\r\n');

/**
 * Detects a UDP target without listener. RFC 3261 §8.1.3.1 treats an ICMP error as an answer, but the kernel reports
 * ICMP errors only to connected sockets, which a listener cannot be; so a separate connected socket probes the target. Only
 * for loopback and private addresses, where a crashed agent or a failed-over PBX shows at once: across the Internet ports
 * are filtered rather than refused, and a refusal of our second socket would not mean a refusal of SIP. For the same reason
 * a refusal counts only when the target sends nothing meanwhile.
 */
export class RefusalProbe {
  private readonly trusted = new Map<string, number>();
  private readonly running = new Map<string, { cancel(): void; heard(): void; waiting: (() => void)[] }>();

  constructor(private readonly clock: Clock) {}

  get probes(): number {
    return this.running.size;
  }

  /** A datagram came from there: a refusal of the probe says nothing. */
  heard(address: string, port: number): void {
    if (this.running.size > 0) this.running.get(`${address} ${port}`)?.heard();
  }

  /** Calls back once, soon, when the target refuses; never otherwise. */
  watch(localAddress: string, address: string, port: number, refused: () => void): void {
    if (!isPrivate(address)) return;
    const key = `${address} ${port}`;
    const probe = this.running.get(key);
    if (probe !== undefined) {
      probe.waiting.push(refused);
      return;
    }
    const trustedUntil = this.trusted.get(key);
    if (trustedUntil !== undefined && this.clock.now() < trustedUntil) return;
    if (this.running.size < maximumProbes) this.start(key, localAddress, address, port, refused);
  }

  stop(): void {
    for (const probe of this.running.values()) probe.cancel();
    this.running.clear();
  }

  private start(key: string, localAddress: string, address: string, port: number, refused: () => void): void {
    const socket = createSocket(familyOf(address) === 6 ? 'udp6' : 'udp4');
    let isRefused = false;
    let isHeard = false;
    const end = (): void => {
      if (this.running.get(key) !== probe) return;
      this.running.delete(key);
      socket.close();
      if (!isRefused) this.trust(key, trustMilliseconds);
      else if (isHeard) this.trust(key, refusalOfProbeMilliseconds);
      else for (const each of probe.waiting) each();
    };
    const timer = this.clock.after(waitMilliseconds, end);
    const probe = {
      waiting: [refused],
      heard: () => {
        isHeard = true;
      },
      cancel: () => {
        timer.cancel();
        socket.close();
      },
    };
    this.running.set(key, probe);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') isRefused = true;
    });
    socket.bind({ address: localAddress, port: 0 }, () => {
      if (this.running.get(key) !== probe) return;
      socket.connect(port, address, () => {
        if (this.running.get(key) === probe) socket.send(nothing);
      });
    });
  }

  private trust(key: string, milliseconds: number): void {
    this.trusted.delete(key);
    if (this.trusted.size >= maximumTrusted) this.trusted.delete(this.trusted.keys().next().value!);
    this.trusted.set(key, this.clock.now() + milliseconds);
  }
}
