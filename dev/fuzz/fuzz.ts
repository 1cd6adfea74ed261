import { randomUUID } from 'node:crypto';
import type { Redis } from '../../src/base/redis.js';
import type { CallRecord } from '../../src/contract/call-record.js';
import { commandStream } from '../../src/contract/keys.js';
import type { SipRequest } from '../../src/sip/message.js';
import { respondTo } from '../../src/sip/response.js';
import type { Arrival, PeerProtocol, SipPeer } from '../../src/testkit/sip-peer.js';
import { pause } from '../../src/testkit/waiting.js';
import { Stage } from '../../test/contract/hardening/stage.js';
import type { IssuedCertificate } from '../../test/support/certificates.js';
import { configureNumber } from '../../test/support/number-writer.js';
import { Callee } from './callee.js';
import { Caller } from './caller.js';
import { Chance } from './chance.js';
import type { Side } from './odd-descriptions.js';
import { Directory, Story } from './story.js';

export interface FuzzOptions {
  readonly seed: number;
  readonly seconds: number;
  /** Stories at the same time. */
  readonly parallel: number;
  /** No more stories than this. */
  readonly most: number;
  /** Only that story of the seed, with whole messages. */
  readonly story?: number;
}

export interface FuzzOutcome {
  readonly stories: number;
  readonly records: number;
  /** How many calls ended so. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  /** What the parties of the stories with problems sent and received. */
  readonly histories: readonly string[];
}

const protocols: readonly PeerProtocol[] = ['udp', 'tcp', 'tls'];
/** By the transport of their agents and PBXs. */
const numbers: Readonly<Record<PeerProtocol, string>> = {
  udp: '4930123001',
  tcp: '4930123002',
  tls: '4930123003',
};

const times = {
  DEMARC_MEDIA_TIMEOUT_SECONDS: 5,
  DEMARC_AGENT_SILENCE_SECONDS: 3,
  DEMARC_RING_SECONDS: 4,
  DEMARC_AGENT_ANSWER_SECONDS: 5,
  DEMARC_AGENT_RESPONSE_SECONDS: 2,
  DEMARC_HELD_ANSWER_SECONDS: 2,
  DEMARC_POST_DIAL_SECONDS: 4,
  // Longer than a run: what only this would end is a problem.
  DEMARC_MAX_DURATION_SECONDS: 7_200,
};
/** A story is over by then, and each of its timeouts has passed, on a machine with other load. */
const longestCall = 60_000;
const settling = 40_000;
/** A party answers requests for this long after its story, because a timeout may end the call. */
const aftermath = 45_000;

/**
 * Drives dialogs with odd peers on both sides of a real system until the time is over, and returns what was left behind or
 * broken then. The same seed makes the same stories; how their messages interleave depends on the machine.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const stage = await Stage.start({
    edges: 2,
    isTls: true,
    rtpPorts: 400,
    edge: {
      DEMARC_TRUST_UDP_SOURCES: 'true',
      DEMARC_LOG_LEVEL: process.env.DEMARC_TEST_LOG ?? 'error',
      DEMARC_RELIABLE_PROVISIONALS: 'early-media',
      DEMARC_RECORDED_REFUSALS_PER_SECOND: '1000',
      ...Object.fromEntries(Object.entries(times).map(([name, value]) => [name, String(value)])),
    },
  });
  const redis = stage.redis.client();
  try {
    return await new Fuzz(stage, redis, options).run();
  } finally {
    redis.disconnect();
    await stage.stop();
  }
}

class Fuzz {
  private readonly directory = new Directory();
  private readonly stories: Story[] = [];
  private readonly problems: string[] = [];
  private readonly reasons = new Map<string, number>();
  private readonly troubled = new Set<Story>();
  private readonly callIds = new Set<string>();
  private records = 0;
  private certificate!: IssuedCertificate;
  private trunks!: Readonly<Record<PeerProtocol, SipPeer>>;
  private agents!: Readonly<Record<PeerProtocol, SipPeer>>;

  constructor(
    private readonly stage: Stage,
    private readonly redis: Redis,
    private readonly options: FuzzOptions,
  ) {}

  async run(): Promise<FuzzOutcome> {
    await this.prepare();
    const { seconds, parallel, most, story: only } = this.options;
    const end = Date.now() + seconds * 1_000;
    let next = only ?? 0;
    const last = only ?? most - 1;
    const work = async (): Promise<void> => {
      while (next <= last && Date.now() < end) await this.play(next++);
    };
    const watch = setInterval(() => void this.readRecords().catch(() => {}), 2_000);
    await Promise.all(Array.from({ length: parallel }, work));
    clearInterval(watch);
    await this.settle();
    return this.outcome();
  }

  private async prepare(): Promise<void> {
    this.certificate = await this.stage.authority.issue('peer');
    const open = async (side: Side): Promise<Record<PeerProtocol, SipPeer>> => ({
      udp: await this.open('udp', side),
      tcp: await this.open('tcp', side),
      tls: await this.open('tls', side),
    });
    this.trunks = await open('trunk');
    this.agents = await open('agent');
    for (const protocol of protocols) {
      const { port } = this.trunks[protocol];
      await configureNumber(this.redis, numbers[protocol], {
        inbound: [{ id: 'any', agent_uri: this.agents[protocol].uri('agent') }],
        outbound: [
          { id: 'out', host: protocol === 'tls' ? 'localhost' : '127.0.0.1', port, transport: protocol },
        ],
        limits: { concurrent_calls: 500 },
        transfer: {
          mode: protocol === 'tcp' ? 'refer' : 'bridge',
          fallback: true,
          allowed_targets: ['+1415', '100'],
        },
      });
    }
    // An edge is notified within milliseconds; no event shows when.
    await pause(500);
  }

  private async play(index: number): Promise<void> {
    const chance = new Chance(`${this.options.seed} ${index}`);
    const story = new Story(index, chance, this.options.story !== undefined);
    this.stories.push(story);
    this.directory.begin(story);
    const number = numbers[chance.pick(protocols)];
    if (chance.happens(0.2)) await this.order(story, number);
    else {
      const trunk = story.isInterrupted
        ? await this.interruptedPeer(chance)
        : this.trunks[chance.pick(['udp', 'udp', 'tcp', 'tls'] as const)];
      await new Caller(story, trunk, chance.derive('caller'), number, this.directory).run();
    }
    setTimeout(() => this.directory.end(story), aftermath).unref();
  }

  private async interruptedPeer(chance: Chance): Promise<SipPeer> {
    const peer = await this.open(chance.pick(['tcp', 'tls'] as const), 'trunk');
    for (let count = chance.between(1, 3); count > 0; count--) {
      setTimeout(() => peer.closeConnections(), chance.between(1, 1_500));
    }
    setTimeout(() => void peer.close(), aftermath).unref();
    return peer;
  }

  private async open(protocol: PeerProtocol, side: Side): Promise<SipPeer> {
    const { cert, key } = this.certificate;
    const peer: SipPeer = await this.stage.peer(protocol, {
      onArrival: (arrival) => this.dispatch(arrival, peer, side),
      certificate: { cert, key },
    });
    return peer;
  }

  /** A call that the API orders; its parties come with their INVITEs. */
  private async order(story: Story, number: string): Promise<void> {
    const command = {
      version: 1,
      call_id: randomUUID(),
      organization: 'acme',
      number,
      phone_number: story.who,
      max_duration_seconds: 7_200,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    await this.redis.xadd(commandStream, '*', 'command', JSON.stringify(command));
    await pause(story.chance.between(500, 2_500));
    if (story.isAbandoned) return;
    // A party that is invited meanwhile hangs up at the next attempt.
    for (let attempt = 0; attempt < 3; attempt++) {
      for (const party of story.parties) party.hangUp();
      await pause(500);
    }
  }

  private dispatch(arrival: Arrival, peer: SipPeer, side: Side): void {
    const { message } = arrival;
    const party = this.directory.party(arrival);
    if (party !== undefined) {
      party.receive(arrival);
      return;
    }
    if (message.kind === 'response' || message.method === 'ACK') return;
    const story = this.directory.story(message);
    if (message.method === 'INVITE' && story !== undefined) {
      this.invite(story, arrival as Arrival<SipRequest>, peer, side);
      return;
    }
    const status = message.method === 'OPTIONS' ? 200 : message.method === 'BYE' ? 481 : 404;
    void peer.send(respondTo(message, status, { toTag: 'stranger' }), arrival.route).catch(() => {});
  }

  private invite(story: Story, invite: Arrival<SipRequest>, peer: SipPeer, side: Side): void {
    const chance = story.chance.derive(`${side} ${story.parties.length}`);
    const callee = new Callee(story, peer, side, chance, invite);
    story.note(side, '<-', invite.message);
    this.directory.enter(invite.message.headers.get('Call-ID')!, callee);
    callee.run().catch((error: Error) => this.trouble(story, `${side}: ${error.stack}`));
  }

  private async settle(): Promise<void> {
    const left = async (): Promise<string[]> => [
      ...(await this.stage.leftOver()),
      ...(await this.stage.leftInRedis()),
    ];
    const end = Date.now() + settling;
    let found = await left();
    while (found.length > 0 && Date.now() < end) {
      await pause(500);
      found = await left();
    }
    this.problems.push(...found.map((each) => `left: ${each}`));
    for (const story of this.stories)
      if (found.some((each) => each.includes(story.who))) this.troubled.add(story);
    for (const story of this.stories) for (const problem of story.problems()) this.trouble(story, problem);
    if (found.some((each) => each.includes('dialogs'))) await this.findDialogs();
    await this.readRecords();
    this.problems.push(...(await this.stage.faults()));
  }

  /** The counts name no dialog, so that the parties ask for each of theirs. */
  private async findDialogs(): Promise<void> {
    const parties = this.stories.flatMap((story) => story.parties);
    const results = [];
    for (const party of parties) {
      for (const callId of party.callIds) this.directory.enter(callId, party);
      results.push({ story: party.story, left: party.probe() });
      if (results.length % 50 === 0) await pause(100);
    }
    await pause(3_000);
    for (const { story, left } of results) for (const problem of left()) this.trouble(story, problem);
  }

  private async readRecords(): Promise<void> {
    for (const record of await this.stage.otherRecords()) this.judge(record);
  }

  private judge(record: CallRecord): void {
    const { call_id: id, end_reason: reason, duration_milliseconds: duration, detail } = record;
    this.records++;
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    const story = this.stories.find(({ who }) => `${record.from} ${record.to}`.includes(who));
    if (this.callIds.has(id)) this.trouble(story, `call ${id} has two records`);
    this.callIds.add(id);
    if (reason === 'internal_error') this.trouble(story, `internal_error: ${detail}`);
    if (duration > longestCall)
      this.trouble(story, `call ${id} lasted ${duration} ms and ended with ${reason}`);
  }

  private trouble(story: Story | undefined, problem: string): void {
    this.problems.push(story === undefined ? problem : `story ${story.index}: ${problem}`);
    if (story !== undefined) this.troubled.add(story);
  }

  private outcome(): FuzzOutcome {
    const { seed, story: only } = this.options;
    const shown = only === undefined ? [...this.troubled].slice(0, 10) : this.stories;
    return {
      stories: this.stories.length,
      records: this.records,
      reasons: Object.fromEntries([...this.reasons].sort(([, left], [, right]) => right - left)),
      problems: this.problems,
      histories: shown.map(
        (story) =>
          `story ${story.index} of seed ${seed}:\n${story.history.map((line) => `    ${line}`).join('\n')}`,
      ),
    };
  }
}
