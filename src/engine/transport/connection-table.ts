import { isIP } from 'node:net';
import { canonicalAddress } from '../../naming/address.js';
import { checkServerName } from './certificates.js';
import type { Protocol, Target } from './flow.js';
import type { StreamConnection } from './stream-connection.js';

export const peerKey = (protocol: Protocol, address: string, port: number): string =>
  `${protocol} ${canonicalAddress(address)} ${port}`;

/** All open stream connections, by remote address. */
export class ConnectionTable {
  private readonly all = new Set<StreamConnection>();
  /** By remote address and port; more than one only for TLS, with different server names. */
  private readonly byPeer = new Map<string, StreamConnection[]>();
  /** RFC 5923: by the port where the peer of an incoming connection says it listens. */
  private readonly byAlias = new Map<string, StreamConnection>();
  private readonly aliasOf = new Map<StreamConnection, string>();
  private outgoing = 0;

  get size(): number {
    return this.all.size;
  }

  get outgoingCount(): number {
    return this.outgoing;
  }

  [Symbol.iterator](): IterableIterator<StreamConnection> {
    return this.all.values();
  }

  add(connection: StreamConnection): void {
    this.all.add(connection);
    if (connection.direction === 'outgoing') this.outgoing++;
    const key = peerKey(connection.protocol, connection.remoteAddress, connection.remotePort);
    const known = this.byPeer.get(key);
    if (known === undefined) this.byPeer.set(key, [connection]);
    else known.push(connection);
  }

  remove(connection: StreamConnection): void {
    if (!this.all.delete(connection)) return;
    if (connection.direction === 'outgoing') this.outgoing--;
    const key = peerKey(connection.protocol, connection.remoteAddress, connection.remotePort);
    const left = this.byPeer.get(key)!.filter((each) => each !== connection);
    if (left.length === 0) this.byPeer.delete(key);
    else this.byPeer.set(key, left);
    const alias = this.aliasOf.get(connection);
    if (alias === undefined) return;
    this.aliasOf.delete(connection);
    if (this.byAlias.get(alias) === connection) this.byAlias.delete(alias);
  }

  /** An open connection with exactly that peer, the newest first. */
  find(protocol: Protocol, address: string, port: number): StreamConnection | undefined {
    return this.byPeer.get(peerKey(protocol, address, port))?.findLast((each) => each.takesRequests);
  }

  /**
   * A connection that may carry a request to the target: same protocol, address and port, whichever side opened it. A
   * request for a name over TLS gets only a connection whose certificate was checked for that name (RFC 5923 §9.1, RFC
   * 5922); a request for an address accepts any peer there.
   */
  reusable(target: Target): StreamConnection | undefined {
    const key = peerKey(target.protocol, target.address, target.port);
    const direct = this.byPeer.get(key)?.findLast((each) => each.takesRequests && servesName(each, target));
    if (direct !== undefined) return direct;
    const alias = this.byAlias.get(key);
    return alias?.takesRequests && servesName(alias, target) ? alias : undefined;
  }

  /**
   * RFC 5923 §5: the peer of an incoming TLS connection asked for its reuse (`alias` in Via). Only after it has proven
   * who it is by a certificate (§8.2.1): otherwise any peer could attract calls for that address.
   */
  addAlias(connection: StreamConnection, port: number): void {
    if (connection.direction !== 'incoming' || connection.verifiedCertificate === undefined) return;
    const key = peerKey(connection.protocol, connection.remoteAddress, port);
    const previous = this.aliasOf.get(connection);
    if (previous === key) return;
    if (previous !== undefined && this.byAlias.get(previous) === connection) this.byAlias.delete(previous);
    this.aliasOf.set(connection, key);
    this.byAlias.set(key, connection);
  }
}

function servesName(connection: StreamConnection, target: Target): boolean {
  if (target.protocol !== 'tls') return true;
  // One customer's trusted certificates prove nothing to another.
  if (connection.trustId !== target.trust?.id) return false;
  if (isIP(target.serverName) !== 0) return true;
  if (connection.direction === 'outgoing') {
    return connection.serverName?.toLowerCase() === target.serverName.toLowerCase();
  }
  const certificate = connection.verifiedCertificate;
  return certificate !== undefined && checkServerName(target.serverName, certificate) === undefined;
}
