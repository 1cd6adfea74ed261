import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { raisePriorities } from '../../test/e2e/running-system.js';
import { TestAuthority } from '../../test/support/certificates.js';
import { freePorts } from '../../test/support/free-ports.js';
import { TestProcess } from '../../test/support/processes.js';
import { programs } from '../setup/bootstrap.mjs';
import { LaunchedSystem } from '../survival/launched-system.js';
import { driveCall, refusingTrunk } from './driven-calls.js';
import type { Fault } from './faults.js';
import { expectedOf, type Kind, many, type Places } from './kinds.js';
import { type Notice, noticeOf, problemsOf } from './notice.js';
import { WatchedPage } from './watched-page.js';

/** What came of a kind of calls or a fault. */
export interface Outcome {
  readonly name: string;
  /** Of calls: how many had which result. */
  readonly results?: Readonly<Record<string, number>>;
  /** Undefined: the calls belong to no organization. */
  readonly organization: Notice | undefined;
  readonly fleet: Notice;
  /** Of a fault: from its end until both pages were green. */
  readonly recovered?: number;
  readonly problems: readonly string[];
}

interface Organization {
  readonly name: string;
  readonly key: string;
  readonly page: WatchedPage;
}

/** Longer than any cache of control. */
const namedMilliseconds = 30_000;
/** After that, a page has to keep its verdict. */
const keptMilliseconds = 5_000;
const cleanMilliseconds = 180_000;
/** Longer than any page may be green; the launcher replaces a process that does not answer for ten seconds. */
const faultMilliseconds = 14_000;

/** A private system with its callers, trunks and open pages. */
export class Verdicts {
  private readonly ends: (() => unknown)[] = [];
  private peer!: SipPeer;
  private places!: Places;
  private fleet!: WatchedPage;
  private numbers = 0;
  private readonly organizations: Organization[] = [];

  private constructor(private readonly system: LaunchedSystem) {}

  static async start(): Promise<Verdicts> {
    const system = await LaunchedSystem.start();
    const verdicts = new Verdicts(system);
    verdicts.ends.push(() => system.stop());
    // What shares the machine is no part of what is measured.
    const raising = setInterval(() => raisePriorities(system.stateDirectory), 250);
    verdicts.ends.push(() => clearInterval(raising));
    try {
      await verdicts.open();
      return verdicts;
    } catch (error) {
      await verdicts.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const end of this.ends.reverse()) await end();
  }

  /** So many calls of a kind, in a separate organization. */
  async drive(kind: Kind, count: number): Promise<Outcome> {
    await this.forgetCalls();
    const number = `1202555${String(1_000 + ++this.numbers)}`;
    const organization = await this.organization(kind);
    if (kind.isUnknownNumber !== true) await this.attach(organization, number, kind);
    await this.openPage(organization);
    let firstAt = 0;
    const place = async (index: number): Promise<string | number> => {
      const result =
        kind.call === undefined
          ? await this.order(organization, number, index)
          : await driveCall(this.peer, { ...kind.call, number });
      firstAt ||= performance.now();
      return result;
    };
    const results = await many(count, place);
    const isOwn = kind.isUnknownNumber !== true;
    const expectedHere = kind.says === undefined ? expectedOf(kind) : { tone: kind.tone, words: [kind.says] };
    const notice = (): readonly [Notice, Notice | undefined] => {
      const now = performance.now();
      const whose = isOwn && kind.ends !== undefined ? [organization.name] : [];
      return [
        noticeOf(this.fleet.looks, expectedOf(kind, ...whose), firstAt, now),
        isOwn ? noticeOf(organization.page.looks, expectedHere, firstAt, now) : undefined,
      ];
    };
    if (kind.ends === undefined) await sleep(keptMilliseconds);
    else {
      const isNamed = (): boolean =>
        notice().every((each) => each === undefined || each.namedAfter !== undefined);
      await until(isNamed, namedMilliseconds, 'both pages name the cause').catch(() => {});
      await sleep(keptMilliseconds);
    }
    const [fleet, own] = notice();
    await this.detach(organization, number, kind);
    // Pages before a fault are of the last organization.
    if (kind.ends !== undefined) organization.page.close();
    const pages = { fleet, organization: own };
    return {
      name: kind.name,
      results,
      ...pages,
      problems: kind.ends === undefined ? problemsOfGood(pages) : problemsOfPages(pages),
    };
  }

  /** A fault, as the pages of the fleet and of one organization tell of it. */
  async fail(fault: Fault): Promise<Outcome> {
    await this.becomeGreen();
    const [organization] = this.organizations.slice(-1);
    const end = await fault.begin(this.system);
    const began = performance.now();
    const notice = (): Pick<Outcome, 'fleet' | 'organization'> => {
      const now = performance.now();
      const of = ({ looks }: WatchedPage): Notice => noticeOf(looks, fault.expected, began, now);
      return { fleet: of(this.fleet), organization: of(organization!.page) };
    };
    const isNamed = (): boolean => Object.values(notice()).every((each) => each?.namedAfter !== undefined);
    while (!isNamed() && performance.now() - began < faultMilliseconds) await sleep(100);
    const pages = notice();
    const ended = performance.now();
    await end();
    await this.becomeGreen();
    return {
      name: fault.name,
      ...pages,
      recovered: performance.now() - ended,
      problems: problemsOfPages(pages),
    };
  }

  private async open(): Promise<void> {
    const { system } = this;
    const authority = await TestAuthority.create();
    this.ends.push(() => authority.remove());
    this.peer = await system.open();
    this.ends.push(() => this.peer.close());
    const [agentPort, closedPort] = await freePorts(2);
    const agent = new TestProcess(process.execPath, [programs.agent, '--listen', `127.0.0.1:${agentPort}`]);
    this.ends.push(() => agent.stop());
    await agent.line(/Agent is ready/, 20_000);
    const { target } = this.peer;
    const refusing = await refusingTrunk(503, { protocol: 'tcp', target });
    this.ends.push(() => refusing.close());
    const misnamed = await refusingTrunk(503, {
      protocol: 'tls',
      target,
      certificate: await authority.issue('elsewhere', ['pbx.example.com']),
    });
    this.ends.push(() => misnamed.close());
    this.places = {
      agent: (behaviour) => `sip:${behaviour}@127.0.0.1:${agentPort};transport=tcp`,
      closed: `sip:127.0.0.1:${closedPort};transport=tcp`,
      refusingTrunk: refusing.uri('trunk'),
      misnamedTrunk: misnamed.uri('trunk'),
    };
    this.fleet = this.page(system.facts.http.apiKey, 'fleet');
  }

  private page(apiKey: string, scope: 'organization' | 'fleet'): WatchedPage {
    const page = WatchedPage.open({ url: this.system.facts.http.url, apiKey, scope });
    this.ends.push(() => page.close());
    return page;
  }

  private async organization({ name, limits = {} }: Kind): Promise<Organization> {
    const { organization_id: id } = await this.ask('/v1/operator/organizations', { name, limits });
    const { key } = await this.ask(`/v1/operator/organizations/${id}/keys`, { name: 'verdicts' });
    const organization = { name, key, page: this.page(key, 'organization') };
    this.organizations.push(organization);
    return organization;
  }

  private openPage({ page }: Organization): Promise<void> {
    return until(
      () => page.latest !== undefined && page.latest.tone !== 'unknown',
      20_000,
      'an open overview',
    );
  }

  private async attach({ key }: Organization, number: string, kind: Kind): Promise<void> {
    const directions = kind.directions(this.places);
    const { failed } = await this.ask(
      '/v1/sip/attach',
      { phone_numbers: [`+${number}`], directions, service: 'sip' },
      key,
    );
    if (failed.length > 0) throw new Error(JSON.stringify(failed));
    // Its way to the edges takes a moment.
    await sleep(3_000);
  }

  private async detach({ key }: Organization, number: string, kind: Kind): Promise<void> {
    if (kind.isUnknownNumber === true) return;
    const directions = [{ type: kind.call === undefined ? 'outbound' : 'inbound' }];
    await this.ask('/v1/sip/detach', { phone_number: `+${number}`, directions }, key);
  }

  private async order({ key }: Organization, number: string, index: number): Promise<string> {
    const { call_id: id, ...problem } = await this.system.ask(
      '/v1/calls',
      { phone_number: `+1415555${2_000 + index}`, from: `+${number}`, task: 'Say hello.' },
      key,
    );
    if (id === undefined) throw new Error(JSON.stringify(problem));
    return 'ordered';
  }

  // biome-ignore lint/suspicious/noExplicitAny: Callers check what they need.
  private async ask(path: string, body: object, key?: string): Promise<any> {
    const { data, errors } = await this.system.ask(path, body, key);
    if (errors !== null) throw new Error(`${path}: ${JSON.stringify(errors)}`);
    return data;
  }

  /** What came before would be what the pages tell: the verdict looks back an hour. */
  private async forgetCalls(): Promise<void> {
    const client = new pg.Client({ connectionString: this.system.facts.postgres!.url });
    await client.connect();
    try {
      const isForgotten = async (): Promise<boolean> => {
        const { rowCount } = await client.query('delete from call_minutes');
        await sleep(2_000);
        return rowCount === 0 && this.fleet.latest?.texts.length === 0;
      };
      await until(isForgotten, cleanMilliseconds, () => `a page that is clean: ${this.fleet.latest?.texts}`);
    } finally {
      await client.end();
    }
  }

  private async becomeGreen(): Promise<void> {
    const pages = [this.fleet, ...this.organizations.slice(-1).map(({ page }) => page)];
    const shown = (): string => pages.map(({ latest }) => latest?.texts.join() || latest?.words).join(' | ');
    await until(
      () => pages.every(({ latest }) => latest?.tone === 'good'),
      cleanMilliseconds,
      () => `green pages: ${shown()}`,
    );
  }
}

const problemsOfPages = (pages: Pick<Outcome, 'fleet' | 'organization'>): string[] =>
  Object.entries(pages).flatMap(([page, notice]) =>
    notice === undefined ? [] : problemsOf(notice).map((problem) => `${page}: ${problem}`),
  );

/** A verdict that is never green says nothing, either. */
const problemsOfGood = (pages: Pick<Outcome, 'fleet' | 'organization'>): string[] =>
  Object.entries(pages).flatMap(([page, notice]) =>
    notice?.notGreenAfter === undefined ? [] : [`${page}: not green for good calls: ${notice.says}`],
  );
