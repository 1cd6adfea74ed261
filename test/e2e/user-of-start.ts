import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type ProcessIdentity, processIdentitySchema } from '../../src/base/process-identity.js';
import { type ReadyFile, readyFileSchema } from '../../src/launcher/ready-file.js';
import { until } from '../../src/testkit/waiting.js';
import { freePorts, mediaPorts, systemPorts } from '../support/free-ports.js';
import { copyMigratedTemplate } from '../support/postgres.js';
import { TestProcess } from '../support/processes.js';
import type { Body } from './running-system.js';

const root = join(import.meta.dirname, '..', '..');
/** A command as a user runs it. */
const command = (name: string): string => join(root, 'dev', name);
/** Half a second of the agent's echo, after its greeting. */
const usualSeconds = 4;

interface Answer {
  readonly status: number;
  /** Of JSON; otherwise undefined. */
  readonly body: Body;
  readonly text: string;
  readonly bytes: Buffer;
}

/** The processes that `npm start` runs. */
export const parts = [
  'agent',
  'control',
  'edge-1',
  'edge-2',
  'engine',
  'media-stream',
  'postgres',
  'redis',
  'rtpengine',
];

const mostLogLines = 60;

/** What a user of `npm start` and `npm run call` has, on a separate state directory and ports. */
export class UserOfStart {
  /** The launcher that runs. */
  running!: TestProcess;

  private constructor(
    readonly stateDirectory: string,
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /**
   * Starts nothing yet.
   * @param changes settings of all that it starts
   */
  static async prepare(changes: NodeJS.ProcessEnv = {}): Promise<UserOfStart> {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'demarc-start-'));
    const [sip, http] = await freePorts(2);
    const [rtpLow, rtpHigh] = await mediaPorts(300);
    const { low, high } = await systemPorts();
    return new UserOfStart(stateDirectory, {
      ...process.env,
      DEMARC_STATE_DIR: stateDirectory,
      DEMARC_SIP_TLS_PORT: String(sip),
      DEMARC_HTTP_PORT: String(http),
      DEMARC_RTP_PORTS: `${rtpLow}-${rtpHigh}`,
      DEMARC_PRIVATE_PORTS: `${low}-${high}`,
      DEMARC_DRAIN_SECONDS: '3',
      // Scripted callers send no audio.
      DEMARC_MEDIA_TIMEOUT_SECONDS: '600',
      ...changes,
    });
  }

  /** One whose first start is over, as far as it takes long: PostgreSQL has its data. Starts nothing yet. */
  static async again(changes: NodeJS.ProcessEnv = {}): Promise<UserOfStart> {
    const user = await UserOfStart.prepare(changes);
    await copyMigratedTemplate(join(user.stateDirectory, 'postgres'));
    return user;
  }

  /** `npm start`, which becomes `running` only with `startAndWait`. */
  start(changes: NodeJS.ProcessEnv = {}, ...args: string[]): TestProcess {
    return new TestProcess(process.execPath, [command('setup/start.mjs'), ...args], {
      env: { ...this.environment, ...changes },
    });
  }

  async startAndWait(changes: NodeJS.ProcessEnv = {}): Promise<TestProcess> {
    const started = this.start(changes);
    this.running = started;
    await started.line(/Demarc is up/, 110_000);
    return started;
  }

  /** `npm run call`. */
  async call(...args: string[]): Promise<{ code: number | null; output: string }> {
    const caller = new TestProcess(process.execPath, [command('call/call.mjs'), ...args], {
      env: this.environment,
    });
    const code = await caller.exit(60_000);
    return { code, output: caller.output };
  }

  /** The softphone of `npm run call` without its preparations. @param args further options; without `--seconds` it talks for 4 s */
  async phone(number: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
    const file = process.env.DEMARC_TEST_CALL ?? join('dist-dev', 'call.js');
    const seconds = args.includes('--seconds') ? [] : ['--seconds', String(usualSeconds)];
    const caller = this.runFile(file, ['--number', number.replace('+', ''), ...seconds, ...args]);
    return { code: await caller.exit(60_000), output: caller.output };
  }

  /** A command of the executable, on the same database. */
  run(...argv: string[]): TestProcess {
    return this.runFile(process.env.DEMARC_TEST_ROLES ?? join('dist', 'cli.js'), argv);
  }

  async ask(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { body, key = this.ready().http.apiKey }: { body?: object; key?: string } = {},
  ): Promise<Answer> {
    const answer = await fetch(this.ready().http.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString('utf8');
    const isJson = answer.headers.get('content-type')?.includes('application/json') === true;
    return { status: answer.status, body: isJson ? JSON.parse(text) : undefined, text, bytes };
  }

  /** Configures a number that every loopback source may call. @param changes of its inbound direction */
  attach(phoneNumber: string, changes: object = {}): Promise<Answer> {
    return this.ask('POST', '/v1/sip/attach', {
      body: {
        phone_numbers: [phoneNumber],
        directions: [{ type: 'inbound', allowed_ips: ['127.0.0.0/8'], ...changes }],
        service: 'sip',
      },
    });
  }

  detach(phoneNumber: string): Promise<Answer> {
    return this.ask('POST', '/v1/sip/detach', {
      body: { phone_number: phoneNumber, directions: [{ type: 'inbound' }], service: 'sip' },
    });
  }

  /** Calls of the number in the history, newest first, once there are as many as wanted. */
  async history(phoneNumber: string, count: number): Promise<Body[]> {
    const path = `/v1/sip/calls?phone_number=${encodeURIComponent(phoneNumber)}`;
    let calls: Body[] = [];
    await until(
      async () => {
        const answer = await this.ask('GET', path).catch(() => undefined);
        calls = answer?.body?.data?.calls ?? [];
        return calls.length >= count;
      },
      30_000,
      () => `${count} calls of ${phoneNumber}, found ${calls.length}`,
    );
    return calls;
  }

  ready(): ReadyFile {
    return readyFileSchema.parse(JSON.parse(readFileSync(join(this.stateDirectory, 'ready.json'), 'utf8')));
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.ready().http.url}/readyz`).catch(() => undefined))?.ok ?? false;
  }

  supervisor(): ProcessIdentity {
    return processIdentitySchema.parse(
      JSON.parse(readFileSync(join(this.stateDirectory, 'supervisor.json'), 'utf8')),
    );
  }

  partIdentities(directory = this.stateDirectory): Map<string, ProcessIdentity> {
    const run = join(directory, 'run');
    const found = new Map<string, ProcessIdentity>();
    for (const file of readdirSync(run)) {
      try {
        const identity = processIdentitySchema.parse(JSON.parse(readFileSync(join(run, file), 'utf8')));
        found.set(file.replace('.json', ''), identity);
      } catch (error) {
        // A part that ends in this moment takes its file with it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return found;
  }

  /** Calls that are up, as the metrics of both edges say. */
  async activeCalls(): Promise<number> {
    const text = await (await fetch(`${this.ready().http.url}/metrics`)).text();
    const samples = [...text.matchAll(/^demarc_calls(?:\{edge="edge-\d"\})? (\d+)$/gm)];
    return samples.reduce((sum, [, value]) => sum + Number(value), 0);
  }

  /** The last lines of the logs of edges and engine, without those of calls that went well: they say what became of a call that was lost. */
  edgeLogs(): string {
    const folder = join(this.stateDirectory, 'log');
    const logs = readdirSync(folder).filter((name) => /^(edge-\d|engine)\.log$/.test(name));
    return logs
      .map((name) => {
        const whole = readFileSync(join(folder, name), 'utf8').trim().split('\n');
        const lines = whole.filter((line) => !/"level":[1-3]0,.*"call":/.test(line)).slice(-mostLogLines);
        return `${name}:\n${lines.map((line) => line.replace(/"(?:pid|hostname)":[^,]*,/g, '')).join('\n')}`;
      })
      .join('\n');
  }

  private runFile(file: string, argv: readonly string[]): TestProcess {
    const ofCommands = parseEnv(readFileSync(join(this.stateDirectory, 'env'), 'utf8'));
    return new TestProcess(process.execPath, [resolve(root, file), ...argv], {
      env: { ...this.environment, ...ofCommands },
    });
  }

  async stop(): Promise<void> {
    // Undefined if it was never started.
    await (this.running as TestProcess | undefined)?.stop(20_000);
    rmSync(this.stateDirectory, { recursive: true, force: true });
  }
}
