import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, isIPv6, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostForUrl } from '../../src/launcher/part.js';
import { endingWithUs } from './ending-with-us.js';
import { NetstringReader, netstring } from './netstring.js';
import { readBaresipTrace, type TracedMessage } from './sip-trace.js';
import { readWav, type Sound } from './wav.js';

export interface BaresipSettings {
  /** The phone's own folder; recordings are removed at start. */
  readonly directory: string;
  /** Local address for SIP and media. */
  readonly address: string;
  /** Port for UDP and TCP; TLS uses the next port. */
  readonly sipPort: number;
  readonly controlPort: number;
  readonly rtpPorts: { readonly low: number; readonly high: number };
  readonly user: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** `srtp-mand` rejects calls without SRTP; absent: plain RTP. */
  readonly mediaEncryption?: 'srtp-mand' | 'srtp';
  /** In order of preference, as baresip names them. */
  readonly codecs: readonly BaresipCodec[];
  /** Frequency of the sine it plays, Hertz. */
  readonly toneHertz: number;
  /** PEM with certificate and key; required to receive calls over TLS. */
  readonly certificateFile?: string;
  readonly caFile?: string;
  /** For digest challenges. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** The SIP domain when it is not the phone's address, for example when it registers. */
  readonly domain?: string;
  /** Registrar and outbound proxy: `sip:127.0.0.1:5061;transport=tls`. */
  readonly registrar?: string;
  readonly answersByItself?: boolean;
}

export const baresipCodecs = ['PCMU/8000/1', 'PCMA/8000/1', 'opus/48000/2', 'G722/16000/1'] as const;
export type BaresipCodec = (typeof baresipCodecs)[number];

export interface BaresipEvent {
  /** `CALL_RINGING`, `CALL_ESTABLISHED`, `CALL_MENC`, `CALL_CLOSED`, … */
  readonly type: string;
  readonly param: string;
  readonly id: string | undefined;
}

export interface PacketCounts {
  readonly sent: number;
  readonly received: number;
}

/** The call ended while another event was awaited; `message` is the phone's text, as `488 Not Acceptable Here`. */
export class CallClosed extends Error {}

const commandMilliseconds = 3_000;
/** baresip creates the file of a recording empty. */
const waveHeaderOctets = 44;

/**
 * A real softphone without user interface: baresip, one process per phone, controlled over its control port.
 * It plays a sine, records what it receives, and prints every SIP message.
 */
export class Baresip {
  private readonly events: BaresipEvent[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly answers = new Map<string, (answer: { ok: boolean; data: string }) => void>();
  private commandCount = 0;
  private ended = false;

  private constructor(
    private readonly settings: BaresipSettings,
    private readonly child: ChildProcess,
    private readonly control: Socket,
    private readonly exited: Promise<void>,
  ) {
    const reader = new NetstringReader();
    control.on('data', (chunk) => {
      for (const payload of reader.push(chunk)) this.onControl(payload);
    });
    control.on('error', () => undefined);
    void exited.then(() => {
      this.ended = true;
      this.wake();
    });
  }

  /** Starts a phone and resolves when it can place and receive calls. */
  static async start(settings: BaresipSettings): Promise<Baresip> {
    writeConfiguration(settings);
    const output = openSync(join(settings.directory, 'output.log'), 'w', 0o600);
    const family = isIPv6(settings.address) ? '-6' : '-4';
    const [file, line] = endingWithUs('baresip', [family, '-v', '-s', '-f', '.']);
    const child = spawn(file, line, {
      cwd: settings.directory,
      stdio: ['ignore', output, output],
      detached: true,
    });
    closeSync(output);
    let failure: string | undefined;
    const exited = new Promise<void>((resolve) => {
      child.once('error', (error) => {
        failure = error.message;
        resolve();
      });
      child.once('exit', (code, signal) => {
        failure ??= `it ended (${signal ?? `code ${code}`})`;
        resolve();
      });
    });
    const deadline = performance.now() + 10_000;
    for (;;) {
      const control = await tryConnect(settings.controlPort);
      if (control !== undefined) return new Baresip(settings, child, control, exited);
      if (failure !== undefined || performance.now() > deadline) {
        child.kill('SIGKILL');
        const end = readOutput(settings.directory).trim().split('\n').slice(-8).join('\n');
        throw new Error(`baresip did not start: ${failure ?? 'its control port stays closed'}\n${end}`);
      }
      await sleep(30);
    }
  }

  /**
   * Dials; discards events of earlier calls.
   * @param uri without a transport parameter: baresip adds that of its account
   */
  async dial(uri: string): Promise<void> {
    this.events.length = 0;
    await this.command('dial', uri);
  }

  answer(): Promise<string> {
    return this.command('accept');
  }

  hangup(): Promise<string> {
    return this.command('hangup');
  }

  hold(): Promise<string> {
    return this.command('hold');
  }

  resume(): Promise<string> {
    return this.command('resume');
  }

  /** Sends REFER in the current call (RFC 5589 §6). */
  transfer(uri: string): Promise<string> {
    return this.command('transfer', uri);
  }

  /** Sends each digit as an RFC 4733 event. */
  async sendDtmf(digits: string): Promise<void> {
    for (const digit of digits) {
      await this.command('sndcode', digit);
      await sleep(200);
      // An empty code releases the key.
      await this.command('sndcode', '');
      await sleep(100);
    }
  }

  /** Sends a baresip command. @throws when baresip rejects it */
  command(name: string, params = ''): Promise<string> {
    this.commandCount += 1;
    const token = String(this.commandCount);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.answers.delete(token);
        reject(new Error(`baresip does not respond to '${name}'.`));
      }, commandMilliseconds);
      this.answers.set(token, ({ ok, data }) => {
        clearTimeout(timer);
        if (ok) resolve(data);
        else reject(new Error(`baresip rejected '${name} ${params}': ${data}`));
      });
      this.control.write(netstring(JSON.stringify({ command: name, params, token })));
    });
  }

  /**
   * Waits for an event since the last `dial`, including past ones.
   * @throws CallClosed when the call ends first; Error after `milliseconds`
   */
  async waitFor(type: string, milliseconds: number): Promise<BaresipEvent> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const event = this.events.find((candidate) => candidate.type === type);
      if (event !== undefined) return event;
      const closed = this.events.find((candidate) => candidate.type === 'CALL_CLOSED');
      if (closed !== undefined) throw new CallClosed(closed.param);
      if (this.ended) throw new Error('baresip ended.');
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`no ${type} within ${milliseconds} ms`);
      await this.nextEvent(left);
    }
  }

  get seen(): readonly BaresipEvent[] {
    return this.events;
  }

  /** All of its output, including every SIP message with its keys: must not be logged. */
  get output(): string {
    return readOutput(this.settings.directory);
  }

  get trace(): TracedMessage[] {
    return readBaresipTrace(this.output);
  }

  /** RTP packets of completed calls, as counted by the phone. */
  get packets(): PacketCounts {
    let sent = 0;
    let received = 0;
    for (const [, out, into] of this.output.matchAll(/^packets:\s+(\d+)\s+(\d+)/gm)) {
      sent += Number(out);
      received += Number(into);
    }
    return { sent, received };
  }

  /** The recording of each of its calls, oldest first. baresip 1.0 stops recording after a hold. */
  get heard(): Sound[] {
    return this.recordings('dec').map(readWav);
  }

  /** Files of what it heard, oldest first; that of a call that is up grows. */
  get heardFiles(): string[] {
    return this.recordings('dec');
  }

  /** The audio it sent. */
  get said(): Sound[] {
    return this.recordings('enc').map(readWav);
  }

  /** The `address:port`s in the trace that belong to the phone: its listeners, and the connection it dialled over. */
  get ownAddresses(): ReadonlySet<string> {
    const { address, sipPort } = this.settings;
    const listeners = [`${address}:${sipPort}`, `${address}:${sipPort + 1}`];
    const first = this.trace.find(({ method, status }) => method === 'INVITE' && status === undefined);
    const dialled = first !== undefined && !listeners.includes(first.destination) ? [first.source] : [];
    return new Set([...listeners, ...dialled]);
  }

  /** Like a phone that loses power: sends no BYE and no unregistration. */
  async crash(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Stops the phone, which ends its calls. */
  async stop(): Promise<void> {
    if (!this.ended) {
      await this.command('quit').catch(() => undefined);
      await Promise.race([this.exited, sleep(1_500)]);
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.ended) break;
      // A phone that waits for an answer to its unregistration does not exit on SIGTERM.
      this.child.kill(signal);
      await Promise.race([this.exited, sleep(1_500)]);
    }
    this.control.destroy();
  }

  private recordings(kind: 'dec' | 'enc'): string[] {
    return readdirSync(this.settings.directory)
      .filter((name) => name.startsWith('dump-') && name.endsWith(`-${kind}.wav`))
      .sort()
      .map((name) => join(this.settings.directory, name))
      .filter((path) => statSync(path).size >= waveHeaderOctets);
  }

  private onControl(payload: string): void {
    const message = JSON.parse(payload) as Record<string, unknown>;
    if (message.response === true) {
      const token = String(message.token ?? '');
      this.answers.get(token)?.({ ok: message.ok === true, data: String(message.data ?? '') });
      this.answers.delete(token);
      return;
    }
    const id = typeof message.id === 'string' ? message.id : undefined;
    this.events.push({ type: String(message.type), param: String(message.param ?? ''), id });
    this.wake();
  }

  private wake(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  private nextEvent(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.waiting.add(done);
    });
  }
}

function tryConnect(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => resolve(socket));
  });
}

function readOutput(directory: string): string {
  try {
    return readFileSync(join(directory, 'output.log'), 'utf8');
  } catch {
    return '';
  }
}

/** The module folder of the Debian and Ubuntu package, or of a local build. */
function modulePath(): string {
  const candidates = ['/usr/lib/baresip/modules', '/usr/local/lib/baresip/modules'];
  for (const candidate of candidates) {
    try {
      if (readdirSync(candidate).includes('menu.so')) return candidate;
    } catch {
      // Not in this folder.
    }
  }
  throw new Error(`baresip's modules were not found in ${candidates.join(', ')}.`);
}

function writeConfiguration(settings: BaresipSettings): void {
  const { directory, address, sipPort, controlPort, rtpPorts } = settings;
  const host = hostForUrl(address);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) if (name.startsWith('dump-')) rmSync(join(directory, name));
  // A value in baresip's configuration ends at a space, so file names are relative to its working directory.
  const { certificateFile, caFile } = settings;
  if (certificateFile !== undefined) copyFileSync(certificateFile, join(directory, 'certificate.pem'));
  if (caFile !== undefined) copyFileSync(caFile, join(directory, 'ca.crt'));
  const modules = ['opus', 'g722', 'g711', 'ausine', 'aubridge', 'sndfile', 'srtp'];
  const lines = [
    'poll_method epoll',
    `sip_listen ${host}:${sipPort}`,
    ...(certificateFile === undefined ? [] : ['sip_certificate ./certificate.pem']),
    ...(caFile === undefined ? [] : ['sip_cafile ./ca.crt']),
    'call_max_calls 50',
    `audio_source ausine,${settings.toneHertz}`,
    'audio_player aubridge,null',
    'audio_alert aubridge,null',
    // The sine is generated at this rate only; baresip resamples it for the codec.
    'ausrc_srate 48000',
    'ausrc_channels 2',
    `rtp_ports ${rtpPorts.low}-${rtpPorts.high}`,
    'rtp_stats yes',
    `net_interface ${address}`,
    `module_path ${modulePath()}`,
    ...modules.map((name) => `module ${name}.so`),
    'module_tmp uuid.so',
    'module_tmp account.so',
    'module_app menu.so',
    'module_app ctrl_tcp.so',
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    'snd_path .',
  ];
  writeFileSync(join(directory, 'config'), `${lines.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(directory, 'accounts'), `${account(settings)}\n`, { mode: 0o600 });
  // Without this file baresip writes its own template.
  writeFileSync(join(directory, 'contacts'), '');
}

function account(settings: BaresipSettings): string {
  const { user, address, sipPort, transport, credentials, registrar, mediaEncryption } = settings;
  const domain = settings.domain ?? `${hostForUrl(address)}:${transport === 'tls' ? sipPort + 1 : sipPort}`;
  return [
    `<sip:${user}@${domain};transport=${transport}>`,
    ...(credentials === undefined
      ? []
      : [`auth_user=${credentials.username}`, `auth_pass=${credentials.password}`]),
    `regint=${registrar === undefined ? 0 : 60}`,
    ...(registrar === undefined ? [] : [`outbound="${registrar}"`]),
    ...(mediaEncryption === undefined ? [] : [`mediaenc=${mediaEncryption}`]),
    `audio_codecs=${settings.codecs.join(',')}`,
    ...(settings.answersByItself === true ? ['answermode=auto'] : []),
  ].join(';');
}
