import { isIP } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { canonicalAddress } from '../../naming/address.js';
import { checkServerName } from './certificates.js';
import type { Flow, Protocol, Target, TransportError } from './flow.js';

export const peerKey = (protocol: Protocol, address: string, port: number): string =>
  `${protocol} ${canonicalAddress(address)} ${port}`;

/** A stream connection, of this process or of the one that it replaces. */
export interface PooledConnection extends Flow {
  readonly protocol: 'tcp' | 'tls';
  readonly direction: 'incoming' | 'outgoing';
  readonly serverName: string | undefined;
  readonly trustId: string | undefined;
  readonly takesRequests: boolean;
  readonly verifiedCertificate: PeerCertificate | undefined;
  write(bytes: string, failed?: (error: TransportError) => void): void;
  close(reason?: string): void;
  destroy(reason: string): void;
  check(now: number): void;
}

/** All open stream connections, by remote address. */
export class ConnectionTable {
  private readonly all = new Set<PooledConnection>();
  private readonly byId = new Map<string, PooledConnection>();
  /** By remote address and port; more than one only for TLS, with different server names. */
  private readonly byPeer = new Map<string, PooledConnection[]>();
  /** RFC 5923: by the port where the peer of an incoming connection says it listens. */
  private readonly byAlias = new Map<string, PooledConnection>();
  private readonly aliasOf = new Map<PooledConnection, string>();
  private outgoing = 0;

  get size(): number {
    return this.all.size;
  }

  get outgoingCount(): number {
    return this.outgoing;
  }

  [Symbol.iterator](): IterableIterator<PooledConnection> {
    return this.all.values();
  }

  add(connection: PooledConnection): void {
    this.all.add(connection);
    this.byId.set(connection.id, connection);
    if (connection.direction === 'outgoing') this.outgoing++;
    const key = peerKey(connection.protocol, connection.remoteAddress, connection.remotePort);
    const existing = this.byPeer.get(key);
    if (existing === undefined) this.byPeer.set(key, [connection]);
    else existing.push(connection);
  }

  remove(connection: PooledConnection): void {
    if (!this.all.delete(connection)) return;
    this.byId.delete(connection.id);
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

  withId(id: string): PooledConnection | undefined {
    return this.byId.get(id);
  }

  /** An open connection with exactly that peer, the newest first. */
  find(protocol: Protocol, address: string, port: number): PooledConnection | undefined {
    return this.byPeer.get(peerKey(protocol, address, port))?.findLast((each) => each.takesRequests);
  }

  /**
   * A connection that may carry a request to the target: same protocol, address and port, whichever side opened it. A
   * request for a name over TLS gets only a connection whose certificate was checked for that name (RFC 5923 §9.1, RFC
   * 5922); a request for an address accepts any peer there.
   */
  reusable(target: Target): PooledConnection | undefined {
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
  addAlias(connection: PooledConnection, port: number): void {
    if (connection.direction !== 'incoming' || connection.verifiedCertificate === undefined) return;
    const key = peerKey(connection.protocol, connection.remoteAddress, port);
    const previous = this.aliasOf.get(connection);
    if (previous === key) return;
    if (previous !== undefined && this.byAlias.get(previous) === connection) this.byAlias.delete(previous);
    this.aliasOf.set(connection, key);
    this.byAlias.set(key, connection);
  }
}

function servesName(connection: PooledConnection, target: Target): boolean {
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
