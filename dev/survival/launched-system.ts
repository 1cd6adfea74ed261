import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity, processIdentitySchema } from '../../src/base/process-identity.js';
import { type ReadyFile, readReadyFile } from '../../src/launcher/ready-file.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { type IssuedCertificate, TestAuthority } from '../../test/support/certificates.js';
import { freePorts, mediaPorts, systemPorts } from '../../test/support/free-ports.js';
import { TestProcess } from '../../test/support/processes.js';
import { programs } from '../setup/bootstrap.mjs';
import type { CallSystem } from './call-system.js';

const startMilliseconds = 120_000;
/** Processes are replaced one after another. */
const replaceMilliseconds = 300_000;
const recordMilliseconds = 20_000;

/** All that `npm start` runs, with its launcher, on separate ports; each process can be killed. */
export class LaunchedSystem implements CallSystem {
  private readonly peers: SipPeer[] = [];
  private launcher: TestProcess;
  private ready: ReadyFile;
  private certificate: IssuedCertificate | undefined;
  private stopping: Promise<void> | undefined;

  private constructor(
    readonly stateDirectory: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly authority: TestAuthority,
  ) {
    this.launcher = undefined as never;
    this.ready = undefined as never;
  }

  static async start(settings: NodeJS.ProcessEnv = {}): Promise<LaunchedSystem> {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'demarc-launched-'));
    const authority = await TestAuthority.create();
    const [sip, http] = await freePorts(2);
    const [rtpLow, rtpHigh] = await mediaPorts(400);
    const { low, high } = await systemPorts();
    const environment = {
      ...process.env,
      DEMARC_STATE_DIR: stateDirectory,
      DEMARC_SIP_TLS_PORT: String(sip),
      DEMARC_HTTP_PORT: String(http),
      DEMARC_RTP_PORTS: `${rtpLow}-${rtpHigh}`,
      DEMARC_PRIVATE_PORTS: `${low}-${high}`,
      DEMARC_TLS_CA: authority.caFile,
      DEMARC_STREAM_CA: authority.caFile,
      ...settings,
    };
    const system = new LaunchedSystem(stateDirectory, environment, authority);
    try {
      await system.up();
    } catch (error) {
      await system.stop();
      throw error;
    }
    return system;
  }

  /** Starts a launcher; resolves when it says that Demarc is up. */
  async up(...more: string[]): Promise<void> {
    if (this.stopping !== undefined) throw new Error('The system is being stopped.');
    this.launcher = new TestProcess(
      process.execPath,
      [programs.demarc, 'up', '--demo-agent', programs.agent, ...more],
      // A terminal sends Ctrl-C to the whole process group: with that and the stop of `stop()`, a launcher leaves its processes behind.
      { env: this.environment, detached: true },
    );
    await this.launcher.line(/Demarc is up/, startMilliseconds);
    this.ready = readReadyFile(this.stateDirectory)!;
  }

  /** Starts a launcher that replaces the running one and its processes; resolves when it has. */
  async replace(): Promise<void> {
    const previous = this.launcher;
    await this.up('--replace');
    await this.launcher.line(/Replaced all processes/, replaceMilliseconds);
    await previous.exit(20_000);
  }

  /** Kills processes by their names, `launcher` among them; without names all but rtpengine and the agent. */
  async kill(...names: string[]): Promise<void> {
    const running = this.processes();
    const all = [...running.keys()].filter((name) => name !== 'rtpengine' && name !== 'agent');
    const chosen = names.length > 0 ? names : ['launcher', ...all];
    const identities = chosen.flatMap((name) => running.get(name) ?? []);
    if (chosen.includes('launcher')) this.launcher.signal('SIGKILL');
    for (const { pid } of identities) process.kill(pid, 'SIGKILL');
    if (chosen.includes('launcher')) await this.launcher.exit(10_000);
    while (identities.some(isRunning)) await sleep(10);
  }

  /** Sends SIGTERM to all edges; resolves when none takes calls any more. */
  async drainEdges(): Promise<void> {
    const edges = [...this.processes()].filter(([name]) => name.startsWith('edge-'));
    for (const [, { pid }] of edges) process.kill(pid, 'SIGTERM');
    const isDraining = async (): Promise<boolean> => {
      if (!edges.some(([, identity]) => isRunning(identity))) return true;
      const text = await (await fetch(`${this.ready.http.url}/metrics`)).text();
      return !/^demarc_draining(?:\{\S*\})? 0$/m.test(text);
    };
    await until(isDraining, 5_000, 'all edges drain');
  }

  /** Resolves when the launcher has started a process again. */
  async isBack(name: string): Promise<void> {
    await this.launcher.line(new RegExp(`${name} is ready again`), startMilliseconds);
  }

  /** Kills a process, which the launcher starts again; resolves when it is ready. */
  async restart(name: string): Promise<void> {
    const before = this.launcher.output.length;
    await this.kill(name);
    const isReady = (): boolean => this.launcher.output.slice(before).includes(`${name} is ready again`);
    await until(isReady, startMilliseconds, `${name} is ready again`);
  }

  async caller(): Promise<SipPeer> {
    const peer = await this.open();
    this.peers.push(peer);
    return peer;
  }

  /** A trunk that its user closes. @param port where it is reached; 0: any free one */
  async open(port = 0): Promise<SipPeer> {
    this.certificate ??= await this.authority.issue('peer');
    return SipPeer.open({
      protocol: 'tls',
      target: { host: this.ready.sip.host, port: this.ready.sip.port },
      certificate: this.certificate,
      ca: readFileSync(this.ready.sip.caFile, 'utf8'),
      port,
    });
  }

  /** Calls the demo agent for so many seconds; its output has the figures of the audio. */
  softphone(seconds: number): TestProcess {
    return new TestProcess(process.execPath, [programs.call, '--seconds', String(seconds)], {
      env: this.environment,
    });
  }

  /** Answered by the demo agent; digits without plus. */
  get demoNumber(): string {
    return this.ready.demo.number;
  }

  /** Of the launcher that was started last. */
  get launcherOutput(): string {
    return this.launcher.output;
  }

  /** A certificate that the system trusts. */
  issue(name: string, hosts: readonly string[]): Promise<IssuedCertificate> {
    return this.authority.issue(name, hosts);
  }

  /** @param agent URL of a bot by WebSocket; default: the demo agent */
  async number({ port }: SipPeer, number = '12025550123', agent?: string): Promise<string> {
    const trunk = `sip:127.0.0.1:${port};transport=tls`;
    const inbound = { type: 'inbound', ...(agent === undefined ? {} : { agent }) };
    const directions = [inbound, { type: 'outbound', sip_endpoint: trunk }];
    const attached = await this.ask('/v1/sip/attach', {
      phone_numbers: [`+${number}`],
      directions,
      service: 'sip',
    });
    if (attached.data?.failed?.length !== 0) throw new Error(JSON.stringify(attached));
    // Its way to the edges takes a moment.
    await sleep(1_000);
    return number;
  }

  async order(number: string, callee = '+14155550100'): Promise<string> {
    const order = { phone_number: callee, from: `+${number}`, task: 'Say hello.' };
    const answer = await this.ask('/v1/calls', order);
    if (answer.call_id === undefined) throw new Error(JSON.stringify(answer));
    return answer.call_id;
  }

  async records(callIds: readonly string[]) {
    const problems: string[] = [];
    const complete = new Set<string>();
    for (const id of callIds) {
      let found: { call_id: string; answered_at: string | null }[] = [];
      const note = ({ errors }: { errors?: readonly object[] }): void => {
        for (const error of errors ?? []) problems.push(`the records of ${id}: ${JSON.stringify(error)}`);
      };
      await until(
        async () => {
          const list = await this.ask(`/v1/sip/calls?sip_call_id=${encodeURIComponent(id)}`);
          note(list);
          found = list.data?.calls ?? [];
          return found.length > 0;
        },
        recordMilliseconds,
        'the record',
      ).catch(() => {});
      if (found.length > 1) problems.push('a call has two records');
      const [record] = found;
      if (record === undefined || record.answered_at === null) continue;
      const detail = await this.ask(`/v1/sip/calls/${encodeURIComponent(record.call_id)}`);
      note(detail);
      if (detail.data?.trace?.length > 0) complete.add(id);
    }
    const missing = callIds.filter((id) => !complete.has(id));
    return { complete: complete.size, missing, problems };
  }

  async ended(): Promise<void> {
    await Promise.all(this.peers.splice(0).map((peer) => peer.close()));
    const isQuiet = async (): Promise<boolean> => {
      const left = [...(await this.gauges(/^demarc_(?:calls|ending|dialogs|admitted)$/)).values()];
      return left.length > 0 && left.every((count) => count === 0);
    };
    await until(isQuiet, 30_000, 'no call is left in the metrics');
  }

  /** The values of the metrics with such a name, of edges, engine and control, by name and labels. */
  gauges(name: RegExp): Promise<Map<string, number>> {
    return this.gaugesOf(this.ready.http.url, name);
  }

  /** The same of media-stream, whose page control does not have. */
  streamGauges(name: RegExp): Promise<Map<string, number>> {
    const { pid } = this.processes().get('media-stream')!;
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const [, address] = variables.find((each) => each.startsWith('DEMARC_STREAM_HTTP='))!.split('=');
    return this.gaugesOf(`http://${address}`, name);
  }

  private async gaugesOf(url: string, name: RegExp): Promise<Map<string, number>> {
    const text = await (await fetch(`${url}/metrics`)).text();
    return new Map(
      [...text.matchAll(/^(([a-z_]+)(?:\{\S*\})?) (\S+)$/gm)]
        .filter(([, , metric]) => name.test(metric!))
        .map(([, sample, , value]) => [sample!, Number(value)]),
    );
  }

  /** @param keepsState its state directory remains, with the logs */
  stop({ keepsState = false }: { readonly keepsState?: boolean } = {}): Promise<void> {
    this.stopping ??= this.stopAll(keepsState);
    return this.stopping;
  }

  private async stopAll(keepsState: boolean): Promise<void> {
    await Promise.all(this.peers.splice(0).map((peer) => peer.close()));
    await this.launcher.stop(40_000);
    for (const { pid } of this.processes().values()) process.kill(pid, 'SIGKILL');
    if (!keepsState) rmSync(this.stateDirectory, { recursive: true, force: true });
    this.authority.remove();
  }

  /** Those that run, by their names; without the launcher. */
  processes(): Map<string, ProcessIdentity> {
    const folder = join(this.stateDirectory, 'run');
    const found = new Map<string, ProcessIdentity>();
    if (!existsSync(folder)) return found;
    for (const file of readdirSync(folder)) {
      const read = processIdentitySchema.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      if (read.success && isRunning(read.data)) found.set(basename(file, '.json'), read.data);
    }
    return found;
  }

  /** Its addresses and the operator's key. */
  get facts(): ReadyFile {
    return this.ready;
  }

  /** @param apiKey default: that of the operator */
  // biome-ignore lint/suspicious/noExplicitAny: Callers check what they need.
  async ask(path: string, body?: object, apiKey = this.ready.http.apiKey): Promise<any> {
    for (;;) {
      const answer = await fetch(this.ready.http.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (answer.status !== 429) return answer.json();
      await sleep(1_000 * Number(answer.headers.get('Retry-After') ?? 1));
    }
  }
}
