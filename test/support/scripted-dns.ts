import {
  type AddressRecord,
  DnsFailure,
  type DnsSource,
  type PointerRecord,
  type ServiceRecord,
} from '../../src/base/dns.js';

/** Records by name; `*` stands for all other names. */
export interface Zone {
  a?: Record<string, readonly string[]>;
  aaaa?: Record<string, readonly string[]>;
  srv?: Record<string, readonly ServiceRecord[]>;
  naptr?: Record<string, readonly PointerRecord[]>;
  /** Seconds, of addresses. */
  ttl?: number;
}

/** DNS as a test writes it, with a list of the questions. */
export class ScriptedDns implements DnsSource {
  readonly asked: string[] = [];
  failing = false;
  silent = false;

  constructor(public zone: Zone = {}) {}

  addresses(name: string, family: 4 | 6): Promise<readonly AddressRecord[]> {
    const records = found(family === 4 ? this.zone.a : this.zone.aaaa, name);
    return this.answer(
      `${family === 4 ? 'A' : 'AAAA'} ${name}`,
      records?.map((address) => ({ address, ttl: this.zone.ttl ?? 60 })),
    );
  }

  services(name: string): Promise<readonly ServiceRecord[]> {
    return this.answer(`SRV ${name}`, found(this.zone.srv, name));
  }

  pointers(name: string): Promise<readonly PointerRecord[]> {
    return this.answer(`NAPTR ${name}`, found(this.zone.naptr, name));
  }

  cancel(): void {}

  private answer<T>(question: string, records: readonly T[] | undefined): Promise<readonly T[]> {
    this.asked.push(question);
    if (this.silent) return new Promise(() => {});
    if (this.failing) return Promise.reject(new DnsFailure('failed', 'ESERVFAIL'));
    if (records === undefined) return Promise.reject(new DnsFailure('none', 'ENOTFOUND'));
    return Promise.resolve(records);
  }
}

const found = <T>(records: Record<string, T> | undefined, name: string): T | undefined =>
  records?.[name] ?? records?.['*'];
