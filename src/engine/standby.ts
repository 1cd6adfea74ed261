import { readFileSync } from 'node:fs';
import { canonicalAddress, familyOf, isWildcard } from '../naming/address.js';
import { localAddresses } from './transport/local-addresses.js';

/** Notices an address before the first request to it has to be repeated (RFC 3261 T1, 500 ms). */
const arrivalMilliseconds = 50;
/** Missing twice in a row: an interface that is configured again may lack its addresses for a moment. */
const departureMilliseconds = 250;

/** Addresses of listeners that move between machines: this one may lack them at first, and lose them later. */
export class Standby {
  private readonly hosts: readonly string[];

  /** @param present the addresses that this machine has now */
  constructor(
    hosts: readonly string[],
    private readonly present: () => readonly string[] = localAddresses,
  ) {
    this.hosts = [...new Set(hosts.map(canonicalAddress))].filter((host) => !isWildcard(host));
  }

  get missing(): readonly string[] {
    const present = this.present();
    return this.hosts.filter((host) => !present.includes(host));
  }

  /** True: the system lets sockets have addresses that it lacks, so that they are there when the address comes. */
  get bindsEarly(): boolean {
    return this.missing.every((host) => mayBindEarly(familyOf(host) === 6 ? 'ipv6' : 'ipv4'));
  }

  /** Resolves when this machine has all of the addresses. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        if (this.missing.length > 0) return;
        clearInterval(timer);
        resolve();
      }, arrivalMilliseconds);
    });
  }

  /** Calls `departed` once one of the addresses has left this machine. */
  onDeparture(departed: (missing: readonly string[]) => void): void {
    let isMissing = false;
    const timer = setInterval(() => {
      const { missing } = this;
      if (missing.length > 0 && isMissing) {
        clearInterval(timer);
        departed(missing);
      }
      isMissing = missing.length > 0;
    }, departureMilliseconds).unref();
  }
}

function mayBindEarly(family: 'ipv4' | 'ipv6'): boolean {
  try {
    return readFileSync(`/proc/sys/net/${family}/ip_nonlocal_bind`, 'latin1').trim() === '1';
  } catch {
    return false;
  }
}
