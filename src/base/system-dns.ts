import { lookup, type NaptrRecord, Resolver, type SrvRecord } from 'node:dns';
import { type AddressRecord, DnsFailure, type DnsSource } from './dns.js';

export interface SystemDnsSettings {
  /** DNS servers as `address` or `address:port`; none: those of the system. */
  readonly servers: readonly string[];
  /** For two attempts together. */
  readonly lookupMilliseconds: number;
}

const answersNothing = new Set(['ENOTFOUND', 'ENODATA', 'NXDOMAIN', 'EBADNAME', 'ENOTIMP']);

/** The DNS servers of the system, or of the settings. */
export class SystemDns implements DnsSource {
  private readonly resolver: Resolver;

  constructor(settings: SystemDnsSettings) {
    // Two attempts within the time that a lookup may take.
    this.resolver = new Resolver({ timeout: Math.ceil(settings.lookupMilliseconds / 3), tries: 2 });
    if (settings.servers.length > 0) this.resolver.setServers([...settings.servers]);
  }

  async addresses(name: string, family: 4 | 6): Promise<readonly AddressRecord[]> {
    // Names without a dot belong to this machine or its network: mDNS, search domains, nsswitch.
    if (!name.includes('.')) return this.systemAddresses(name, family);
    return this.ask<AddressRecord>(name, (callback) => {
      if (family === 4) this.resolver.resolve4(name, { ttl: true }, callback);
      else this.resolver.resolve6(name, { ttl: true }, callback);
    });
  }

  services(name: string): Promise<readonly SrvRecord[]> {
    return this.ask<SrvRecord>(name, (callback) => this.resolver.resolveSrv(name, callback));
  }

  pointers(name: string): Promise<readonly NaptrRecord[]> {
    return this.ask<NaptrRecord>(name, (callback) => this.resolver.resolveNaptr(name, callback));
  }

  cancel(): void {
    this.resolver.cancel();
  }

  private ask<T>(
    name: string,
    start: (callback: (error: NodeJS.ErrnoException | null, records: T[]) => void) => void,
  ): Promise<readonly T[]> {
    return new Promise((resolve, reject) => {
      start((error, records) => {
        if (error !== null) reject(failureOf(name, error));
        else if (records.length === 0) reject(new DnsFailure('none', `${name} has no such record`));
        else resolve(records);
      });
    });
  }

  private systemAddresses(name: string, family: 4 | 6): Promise<readonly AddressRecord[]> {
    return new Promise((resolve, reject) => {
      lookup(name, { family, all: true }, (error, found) => {
        if (error !== null) reject(failureOf(name, error));
        else if (found.length === 0) reject(new DnsFailure('none', `${name} has no address`));
        else resolve(found.map(({ address }) => ({ address, ttl: 30 })));
      });
    });
  }
}

const failureOf = (name: string, error: NodeJS.ErrnoException): DnsFailure =>
  new DnsFailure(
    answersNothing.has(error.code ?? '') ? 'none' : 'failed',
    `${name}: ${error.code ?? error.message}`,
  );
