import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, isIPv6, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostForUrl } from '../../src/launcher/part.js';
import { NetstringReader, netstring } from './netstring.js';
import { readBaresipTrace, type TracedMessage } from './sip-trace.js';
import { readWav, type Sound } from './wav.js';

export interface BaresipSettings {
  /** The phone's own folder; emptied of recordings at start. */
  readonly directory: string;
  /** Local address for SIP and media. */
  readonly address: string;
  /** UDP and TCP listen here, TLS on the next port. */
  readonly sipPort: number;
  readonly controlPort: number;
  readonly rtpPorts: { readonly low: number; readonly high: number };
  readonly user: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  /** `srtp-mand` takes no call without SRTP; absent: plain RTP. */
  readonly mediaEncryption?: 'srtp-mand' | 'srtp';
  /** In order of preference, as baresip names them. */
  readonly codecs: readonly BaresipCodec[];
  /** Pitch of the sine it says, Hertz. */
  readonly toneHertz: number;
  /** PEM of certificate and key; needed to be called over TLS. */
  readonly certificateFile?: string;
  readonly caFile?: string;
  /** For digest challenges. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Its domain when not its own address, as when it registers. */
  readonly domain?: string;
  /** Register there and send everything that way: `sip:127.0.0.1:5061;transport=tls`. */
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

/** The call ended where something else was waited for; `message` is what the phone says, as `488 Not Acceptable Here`. */
export class CallClosed extends Error {}

const commandMilliseconds = 3_000;

/**
 * A real softphone without a head: baresip, one process a phone, driven over its control port.
 * It says a sine, records what it hears, and prints every SIP message.
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

  /** Starts a phone and resolves when it can dial or be called. */
  static async start(settings: BaresipSettings): Promise<Baresip> {
    writeConfiguration(settings);
    const output = openSync(join(settings.directory, 'output.log'), 'w', 0o600);
    const family = isIPv6(settings.address) ? '-6' : '-4';
    const child = spawn('baresip', [family, '-v', '-s', '-f', '.'], {
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
   * Dials; events of earlier calls are forgotten.
   * @param uri without a transport parameter: baresip adds its account's own
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

  /** Sends REFER in the present call (RFC 5589 §6). */
  transfer(uri: string): Promise<string> {
    return this.command('transfer', uri);
  }

  /** Sends each digit as an RFC 4733 event. */
  async sendDtmf(digits: string): Promise<void> {
    for (const digit of digits) {
      await this.command('sndcode', digit);
      await sleep(200);
      // An empty code lets go of the key.
      await this.command('sndcode', '');
      await sleep(100);
    }
  }

  /** Sends one of baresip's own commands. @throws when it is refused */
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
   * Waits for an event since the last `dial`, also one that has been.
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

  /** All that it printed, with every SIP message and its keys: not for logs. */
  get output(): string {
    return readOutput(this.settings.directory);
  }

  get trace(): TracedMessage[] {
    return readBaresipTrace(this.output);
  }

  /** RTP packets of the calls that have ended, by the phone's own count. */
  get packets(): PacketCounts {
    let sent = 0;
    let received = 0;
    for (const [, out, into] of this.output.matchAll(/^packets:\s+(\d+)\s+(\d+)/gm)) {
      sent += Number(out);
      received += Number(into);
    }
    return { sent, received };
  }

  /** What it heard in each of its calls, oldest first. After a hold baresip 1.0 records no more. */
  get heard(): Sound[] {
    return this.recordings('dec');
  }

  /** What it said. */
  get said(): Sound[] {
    return this.recordings('enc');
  }

  /** The `address:port`s of the trace that are the phone's own: its listeners, and the connection it dialled over. */
  get ownAddresses(): ReadonlySet<string> {
    const { address, sipPort } = this.settings;
    const listeners = [`${address}:${sipPort}`, `${address}:${sipPort + 1}`];
    const first = this.trace.find(({ method, status }) => method === 'INVITE' && status === undefined);
    const dialled = first !== undefined && !listeners.includes(first.destination) ? [first.source] : [];
    return new Set([...listeners, ...dialled]);
  }

  /** As a phone that loses power: nobody is told. */
  async crash(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Ends the phone, which ends its calls. */
  async stop(): Promise<void> {
    if (!this.ended) {
      await this.command('quit').catch(() => undefined);
      await Promise.race([this.exited, sleep(1_500)]);
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.ended) break;
      // A phone that waits for an answer to its unregistration outlives SIGTERM.
      this.child.kill(signal);
      await Promise.race([this.exited, sleep(1_500)]);
    }
    this.control.destroy();
  }

  private recordings(kind: 'dec' | 'enc'): Sound[] {
    return readdirSync(this.settings.directory)
      .filter((name) => name.startsWith('dump-') && name.endsWith(`-${kind}.wav`))
      .sort()
      .map((name) => readWav(join(this.settings.directory, name)));
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

/** Where Debian and Ubuntu put the modules, by architecture or not. */
function modulePath(): string {
  const candidates = ['/usr/lib/baresip/modules', '/usr/local/lib/baresip/modules'];
  for (const candidate of candidates) {
    try {
      if (readdirSync(candidate).includes('menu.so')) return candidate;
    } catch {
      // Not there.
    }
  }
  throw new Error(`baresip's modules were not found in ${candidates.join(', ')}.`);
}

function writeConfiguration(settings: BaresipSettings): void {
  const { directory, address, sipPort, controlPort, rtpPorts } = settings;
  const host = hostForUrl(address);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) if (name.startsWith('dump-')) rmSync(join(directory, name));
  // A value in baresip's configuration ends at a blank, so files are named relative to the folder it runs in.
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
    // The sine exists at this rate only; baresip resamples for the codec.
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
  // Without it baresip writes a template of its own.
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
