import { readFileSync } from 'node:fs';
import { RuleModel } from '../../src/rule-model/rule-model.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause, until } from '../../src/testkit/waiting.js';
import { trunkDescription } from '../../test/contract/media/descriptions.js';
import { answeredCall, from, inbound, outbound } from '../../test/e2e/dashboard/visit.js';
import { type Body, patientSettings, RunningSystem } from '../../test/e2e/running-system.js';
import { TestAuthority } from '../../test/support/certificates.js';
import { freePort } from '../../test/support/free-ports.js';
import { PeerCall } from '../../test/support/peer-call.js';
import { appointmentRules, appointments, bookingScenario } from './appointments.js';

const desk = '+12025550161';
const pharmacy = '+12025550162';

/** Callers are numbers that are reserved for fiction. */
const callerNumber = (index: number): string => `+1415555${String(100 + (index % 100)).padStart(4, '0')}`;
const answeredCalls = 24;
const gapMilliseconds = 700;
const talkSeconds = 8;
/** A busy machine loses packets of the softphone, and the picture would show nothing else. */
const clearMos = 4;
const tries = 5;

/** A private system with the organization of the pictures. */
export class Clinic {
  private readonly ends: (() => unknown)[] = [];
  /** With the key of the organization. */
  system!: RunningSystem;
  private peer!: SipPeer;
  private readonly active: PeerCall[] = [];
  /** SIP URI of a PBX that answers. */
  pbx!: string;

  private constructor() {}

  static async open(): Promise<Clinic> {
    const clinic = new Clinic();
    try {
      await clinic.start();
      return clinic;
    } catch (error) {
      await clinic.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const call of this.active.splice(0)) await call.hangUp().catch(() => {});
    for (const end of this.ends.splice(0).reverse()) await end();
  }

  /** A softphone's call with audio; resolves with its id. */
  async talk(): Promise<string> {
    for (let tried = 0; tried < tries; tried++) {
      const caller = callerNumber(40 + tried);
      await this.system.phone(desk, talkSeconds, '--from', caller).exit(60_000);
      let record: Body;
      const isRecorded = async (): Promise<boolean> => {
        const { calls } = await this.ask('GET', '/v1/sip/calls?limit=50');
        record = calls.find(({ from: number }: Body) => number === caller);
        return record !== undefined;
      };
      await until(isRecorded, 30_000, 'the call in the history');
      if (record.mos >= clearMos) return record.call_id;
    }
    throw new Error(`None of ${tries} calls had a MOS of ${clearMos}: the machine is too busy.`);
  }

  /** Answered, refused and active calls. */
  async takeCalls(): Promise<void> {
    const talking = Array.from({ length: answeredCalls }, async (_, index) => {
      await pause(index * gapMilliseconds);
      const call = await answeredCall(
        this.peer,
        index % 2 === 1 ? pharmacy : desk,
        from(callerNumber(index)),
      );
      await pause(2_000 + (index % 5) * 1_500);
      await call.hangUp();
    });
    await Promise.all(talking);
    const busy = { 'X-Agent-Behaviour': 'busy' };
    for (const index of [60, 61]) await this.refused(pharmacy, trunkDescription(), callerNumber(index), busy);
    await this.refused(desk, trunkDescription({ protocol: 'RTP/AVP', crypto: [] }), callerNumber(62));
    for (const index of [70, 71])
      this.active.push(await answeredCall(this.peer, desk, from(callerNumber(index))));
  }

  /** Resolves with the id of the pathway, of which version 1 is live. */
  async addPathway(): Promise<string> {
    const { id } = await this.ask('POST', '/v1/pathways', { name: 'Appointments', document: appointments });
    await this.ask('POST', `/v1/pathways/${id}/versions/promote`, {});
    return id;
  }

  /** Resolves with the id of a completed run. */
  async test(pathwayId: string): Promise<string> {
    const scenario = await this.ask('POST', '/v1/agent-testing/scenarios', {
      ...bookingScenario,
      pathway_id: pathwayId,
    });
    const { run_id: id } = await this.ask('POST', `/v1/agent-testing/scenarios/${scenario.id}/run`, {});
    const run = (): Promise<Body> => this.ask('GET', `/v1/agent-testing/runs/${id}`);
    await until(async () => (await run()).completed_at !== null, 60_000, 'the end of the test run');
    return id;
  }

  private async start(): Promise<void> {
    const model = await RuleModel.start({ rules: appointmentRules });
    this.ends.push(() => model.stop());
    const system = await RunningSystem.start({
      ...patientSettings,
      DEMARC_LLM_URL: model.url,
      DEMARC_LLM_MODEL: 'rules',
      DEMARC_LLM_STAND_IN: 'true',
    });
    this.ends.push(() => system.stop());
    this.system = system.withKey(await system.organization('Riverside Clinic'));
    const authority = await TestAuthority.create();
    this.ends.push(() => authority.remove());
    const { sip } = system.ready;
    this.peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: '127.0.0.1', port: sip.port },
      certificate: await authority.issue('peer'),
      ca: readFileSync(sip.caFile, 'utf8'),
    });
    this.ends.push(() => this.peer.close());
    const port = await freePort();
    const pbx = system.agent('--listen', `127.0.0.1:${port}`, '--ring-ms', '300');
    this.ends.push(() => pbx.stop());
    await pbx.line(/Agent is ready/, 20_000);
    this.pbx = `sip:127.0.0.1:${port};transport=tcp`;
    await this.attach(desk, inbound(), outbound(this.pbx));
    await this.attach(pharmacy, inbound(), outbound(this.pbx));
  }

  private async attach(number: string, ...directions: readonly object[]): Promise<void> {
    const { failed } = await this.ask('POST', '/v1/sip/attach', {
      phone_numbers: [number],
      directions,
      service: 'sip',
    });
    if (failed.length > 0) throw new Error(`${number}: ${JSON.stringify(failed)}`);
  }

  private async refused(number: string, body: string, caller: string, headers = {}): Promise<void> {
    const call = PeerCall.to(this.peer, number.slice(1));
    await call.invite({ body, headers: { ...from(caller)(call), ...headers } });
    await call.ack((await call.response((status) => status >= 300, 'INVITE', 30_000)).message);
  }

  private async ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
    const { data, errors } = await this.system.ask(method, path, body);
    if (errors !== null) throw new Error(`${path}: ${JSON.stringify(errors)}`);
    return data;
  }
}
