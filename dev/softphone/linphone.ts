import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallClosed } from './baresip.js';
import { endingWithUs } from './ending-with-us.js';
import { readWav, type Sound, sineWav } from './wav.js';

export interface LinphoneSettings {
  /** The phone's own folder, also used as HOME. */
  readonly directory: string;
  readonly address: string;
  /** TLS port; the phone has no certificate, so calls reach it only over a connection it opened. */
  readonly tlsPort: number;
  readonly rtpPorts: { readonly low: number; readonly high: number };
  readonly user: string;
  /** CA file; the phone rejects a server whose chain or name it cannot verify. */
  readonly caFile: string;
  /** Frequency of the sine it plays, Hertz. */
  readonly toneHertz: number;
  /** Registrar; calls arrive over the connection to it. */
  readonly registrar?: {
    readonly uri: string;
    readonly identity: string;
    readonly realm: string;
    readonly username: string;
    readonly password: string;
  };
  readonly answersByItself?: boolean;
  /** TCP port; accepts plain RTP only, as voice agents do. */
  readonly plainTcpPort?: number;
  /** The only SRTP suite that it has; absent: `AES_CM_128_HMAC_SHA1_80`. */
  readonly srtpSuite?: string;
}

/** Duration of the sine, and so of the longest call it covers. */
const toneSeconds = 60;

/** A memory fault of the phone itself: linphonec 5.1 has one in libsrtp2, rarely, when a call gets new keys. */
export class PhoneCrashed extends Error {}

/**
 * The strict softphone: linphonec, which verifies the server's certificate chain and name, and accepts SRTP only.
 * Controlled over its standard input; its output shows the state of the call.
 */
export class Linphone {
  private text = '';
  private ended = false;
  private readonly exited: Promise<void>;

  private constructor(
    private readonly settings: LinphoneSettings,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
    });
    child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      child.once('error', (failure) => {
        this.text += `\n${failure.message}\n`;
        resolve();
      });
      child.once('exit', () => resolve());
    });
    void this.exited.then(() => {
      this.ended = true;
    });
  }

  /** Starts a phone and resolves when it accepts commands. */
  static async start(settings: LinphoneSettings): Promise<Linphone> {
    writeConfiguration(settings);
    const { directory } = settings;
    const args = ['-c', join(directory, 'rc'), '-d', '6', '-l', join(directory, 'linphone.log')];
    const options = settings.answersByItself === true ? [...args, '-a'] : args;
    // Without the other end of its pipe it would read the end of the file for ever, at the full speed of a core.
    const [file, line] = endingWithUs('linphonec', options, 'KILL');
    const child = spawn(file, line, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, HOME: directory, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined },
      detached: true,
    });
    const phone = new Linphone(settings, child);
    await phone.waitForText(/linphonec> /, 10_000);
    phone.say(
      'soundcard use files',
      `record ${join(directory, 'heard.wav')}`,
      `play ${join(directory, 'tone.wav')}`,
    );
    return phone;
  }

  /** @param uri its host is the name that the certificate must contain */
  dial(uri: string): void {
    this.text = '';
    this.say(`call ${uri}`);
  }

  /** Waits for the call with that index, the first being 1, and answers it. */
  async answer(call: number, milliseconds: number): Promise<void> {
    await this.waitForText(new RegExp(`incoming call .* assigned id ${call}\\b`), milliseconds);
    this.say(`answer ${call}`);
  }

  hangup(): void {
    this.say('terminate');
  }

  hold(): void {
    this.say('pause');
  }

  resume(): void {
    this.say('resume');
  }

  /** Sends REFER in the current call (RFC 5589 §6). */
  transfer(uri: string): void {
    this.say(`transfer ${uri}`);
  }

  /** Connects the remote parties of its first and second call (RFC 5589 §7). */
  joinCalls(): void {
    this.say('transfer 1 --to-call 2');
  }

  /** During a call, a line of digits is sent as DTMF. */
  sendDtmf(digits: string): void {
    this.say(digits);
  }

  /** @throws CallClosed when the call fails or ends first */
  async waitUntilEstablished(milliseconds: number): Promise<void> {
    await this.waitForText(/Media streams established/, milliseconds);
  }

  async waitUntilEnded(milliseconds: number): Promise<void> {
    await this.waitForText(/^(?:linphonec> )?Call \d+ .*(?:ended|error)/m, milliseconds);
  }

  /** All of its output since the last `dial`. */
  get output(): string {
    return this.text;
  }

  /** Its own log, including every SIP message with its keys. */
  get log(): string {
    return readFileSync(join(this.settings.directory, 'linphone.log'), 'utf8');
  }

  /** The audio received so far. */
  get heard(): Sound {
    return readWav(join(this.settings.directory, 'heard.wav'));
  }

  /** Stops the phone and its calls. */
  async stop(): Promise<void> {
    this.say('terminate', 'quit');
    await Promise.race([this.exited, sleep(2_000)]);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (this.ended) return;
      this.child.kill(signal);
      await Promise.race([this.exited, sleep(1_500)]);
    }
  }

  private say(...lines: readonly string[]): void {
    if (!this.ended) this.child.stdin?.write(lines.map((line) => `${line}\n`).join(''));
  }

  private async waitForText(pattern: RegExp, milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      if (pattern.test(this.text)) return;
      const failed = /^(?:linphonec> )?(Call \d+ .*(?:ended|error).*)$/m.exec(this.text)?.[1];
      if (failed !== undefined) throw new CallClosed(failed);
      if (this.child.signalCode === 'SIGSEGV') throw new PhoneCrashed('linphonec crashed.');
      if (this.ended) throw new Error(`linphonec ended:\n${this.text.slice(-500)}`);
      if (performance.now() > deadline)
        throw new Error(`no ${pattern} from linphonec within ${milliseconds} ms`);
      await sleep(20);
    }
  }
}

function writeConfiguration(settings: LinphoneSettings): void {
  const { directory, address, rtpPorts, registrar, plainTcpPort } = settings;
  // Without this folder it starts without any transport, and every call fails.
  mkdirSync(join(directory, '.local', 'share', 'linphone'), { recursive: true, mode: 0o700 });
  for (const name of ['heard.wav', 'linphone.log']) rmSync(join(directory, name), { force: true });
  writeFileSync(join(directory, 'tone.wav'), sineWav(settings.toneHertz, toneSeconds));
  const lines = [
    '[sip]',
    'sip_port=-1',
    `sip_tcp_port=${plainTcpPort ?? -1}`,
    `sip_tls_port=${plainTcpPort === undefined ? settings.tlsPort : -1}`,
    // Otherwise its migration to IPv6 enables IPv6 again, and it offers media on any address of the machine.
    'use_ipv6=0',
    'ipv6_migration_done=1',
    `bind_address=${address}`,
    `contact=sip:${settings.user}@${address}`,
    'guess_hostname=0',
    `root_ca=${settings.caFile}`,
    'verify_server_certs=1',
    'verify_server_cn=1',
    ...(plainTcpPort === undefined ? ['media_encryption=srtp', 'media_encryption_mandatory=1'] : []),
    `srtp_crypto_suites=${settings.srtpSuite ?? 'AES_CM_128_HMAC_SHA1_80'}`,
    ...(registrar === undefined ? [] : ['default_proxy=0']),
    '[video]',
    'enabled=0',
    'capture=0',
    'display=0',
    '[rtp]',
    `audio_rtp_port=${rtpPorts.low}-${rtpPorts.high}`,
    `bind_address=${address}`,
    ...(registrar === undefined
      ? []
      : [
          '[proxy_0]',
          `reg_proxy=<${registrar.uri}>`,
          `reg_identity=${registrar.identity}`,
          'reg_expires=60',
          'reg_sendregister=1',
          '[auth_info_0]',
          `username=${registrar.username}`,
          `userid=${registrar.username}`,
          `passwd=${registrar.password}`,
          `realm=${registrar.realm}`,
        ]),
  ];
  // linphonec rewrites the file while it runs, so each start gets a new one.
  writeFileSync(join(directory, 'rc'), `${lines.join('\n')}\n`, { mode: 0o600 });
}
