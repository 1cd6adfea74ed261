import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parsePhoneNumber } from 'libphonenumber-js/min';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { trunkDescription } from '../../contract/media/descriptions.js';
import { TestAuthority } from '../../support/certificates.js';
import { freePorts } from '../../support/free-ports.js';
import { type MessageOptions, PeerCall } from '../../support/peer-call.js';
import { readShared } from '../../support/shared-by-files.js';
import { launchBrowser, Visitor } from '../browser.js';
import { type Body, patientSettings, RunningSystem, startMilliseconds } from '../running-system.js';
import type { SharedSystem } from './shared-system.js';

/** A number as the pages show it. */
export const shown = (number: string): string => parsePhoneNumber(number).formatInternational();

/**
 * One test file's use of the shared system: an organization that no other file uses, and a person in Chromium who is signed
 * in to it. Other files use the system at the same time, so nothing here may kill a process of it.
 */
export class Visit {
  private readonly ends: (() => unknown)[] = [];

  private constructor(
    /** With the key of this file's organization. */
    readonly system: RunningSystem,
    /** With the operator's key, which belongs to the demo organization. */
    readonly operator: RunningSystem,
    /** SIP URI of a customer's PBX, which answers. */
    readonly pbx: string,
    private readonly browser: Browser,
  ) {}

  /** @param file `import.meta.filename` of the test */
  static async begin(file: string): Promise<Visit> {
    const shared = await readShared<SharedSystem>(inject('sharedSystem'), startMilliseconds);
    const key = shared.keys[basename(file)];
    if (key === undefined) throw new Error(`${file} was added after the shared system had started.`);
    const operator = RunningSystem.join(shared);
    return new Visit(operator.withKey(key), operator, shared.pbx, await launchBrowser());
  }

  /** On a separate system and browser, for tests that kill processes. */
  static async alone(): Promise<Visit> {
    const [system, browser] = await Promise.all([RunningSystem.start(patientSettings), launchBrowser()]);
    const visit = new Visit(system, system, '', browser);
    visit.ends.push(() => system.stop());
    return visit;
  }

  /** Ends what this file started. */
  async end(): Promise<void> {
    await this.browser.close();
    for (const end of this.ends.reverse()) await end();
  }

  /** A visitor at the sign-in page. */
  stranger(): Promise<Visitor> {
    return Visitor.arrive(this.browser, this.system.ready.http.url);
  }

  /** @param key default: the key of this file's organization */
  async visitor(key = this.system.ready.http.apiKey): Promise<Visitor> {
    const visitor = await this.stranger();
    await visitor.signIn(key);
    return visitor;
  }

  /**
   * Configures a number, which belongs to this file's organization from then on: begin it with an area code that no other
   * file uses.
   */
  async attach(number: string, ...directions: object[]): Promise<void> {
    const answer: Body = await this.system.ask('POST', '/v1/sip/attach', {
      phone_numbers: [number],
      directions,
      service: 'sip',
    });
    if (answer.errors !== null || answer.data.failed.length > 0) {
      throw new Error(`${number}: ${JSON.stringify(answer)}`);
    }
  }

  /** A SIP peer to place scripted calls with. */
  async peer(): Promise<SipPeer> {
    const authority = await TestAuthority.create();
    this.ends.push(() => authority.remove());
    const peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: '127.0.0.1', port: this.system.ready.sip.port },
      certificate: await authority.issue('peer'),
      ca: readFileSync(this.system.ready.sip.caFile, 'utf8'),
    });
    this.ends.push(() => peer.close());
    return peer;
  }
}

/** A call to that number that the agent has answered. */
export async function answeredCall(
  peer: SipPeer,
  number: string,
  headers: (call: PeerCall) => NonNullable<MessageOptions['headers']> = () => ({}),
): Promise<PeerCall> {
  const call = PeerCall.to(peer, number.slice(1));
  call.invitation = await call.send('INVITE', { body: trunkDescription(), headers: headers(call) });
  await call.ack((await call.response(200)).message);
  return call;
}

/** The `From` of a caller with that name or number. */
export const from =
  (caller: string) =>
  (call: PeerCall): { From: string } => ({ From: `<sip:${caller}@127.0.0.1>;tag=${call.localTag}` });

export const inbound = (allowed = '127.0.0.0/8'): object => ({ type: 'inbound', allowed_ips: [allowed] });

export const outbound = (uri: string): object => ({
  type: 'outbound',
  sip_endpoint: uri,
  options: { secure_media: false },
});

/** A SIP URI that refuses connections. */
export async function closedUri(): Promise<string> {
  const [port] = await freePorts(1);
  return `sip:127.0.0.1:${port};transport=tcp`;
}
