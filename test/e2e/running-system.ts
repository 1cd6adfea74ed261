import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { processIdentitySchema } from '../../src/base/process-identity.js';
import { type ReadyFile, readyFileSchema } from '../../src/launcher/ready-file.js';
import { freePorts, mediaPorts, systemPorts } from '../support/free-ports.js';
import { copyMigratedTemplate } from '../support/postgres.js';
import { TestProcess } from '../support/processes.js';

const root = join(import.meta.dirname, '..', '..');

/** Ten seconds on two idle cores. */
export const startMilliseconds = 240_000;

/** Answers are read as they come; tests say what they expect. */
// biome-ignore lint/suspicious/noExplicitAny: As above.
export type Body = any;

/** Scripted callers send no audio, and pages take their time on a busy machine. */
export const patientSettings = {
  DEMARC_MEDIA_TIMEOUT_SECONDS: '600',
  DEMARC_SILENT_CALL_SECONDS: '3600',
  DEMARC_UNRESPONSIVE_SECONDS: '600',
} as const;

/** Everything that `npm start` runs, in a separate state directory, with the API and the commands of a customer. */
export class RunningSystem {
  private constructor(
    readonly stateDirectory: string,
    /** The variables that it was started with, beside those of this process. */
    readonly settings: NodeJS.ProcessEnv,
    readonly ready: ReadyFile,
    private readonly launcher?: TestProcess,
  ) {}

  static async start(extra: NodeJS.ProcessEnv = {}): Promise<RunningSystem> {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'demarc-dashboard-'));
    await copyMigratedTemplate(join(stateDirectory, 'postgres'));
    const [sip, http] = await freePorts(2);
    const [rtpLow, rtpHigh] = await mediaPorts(200);
    const { low, high } = await systemPorts();
    const settings = {
      DEMARC_STATE_DIR: stateDirectory,
      DEMARC_SIP_TLS_PORT: String(sip),
      DEMARC_HTTP_PORT: String(http),
      DEMARC_RTP_PORTS: `${rtpLow}-${rtpHigh}`,
      DEMARC_PRIVATE_PORTS: `${low}-${high}`,
      DEMARC_DRAIN_SECONDS: '1',
      ...extra,
    };
    const launcher = new TestProcess(process.execPath, [join(root, 'dev', 'setup', 'start.mjs')], {
      env: { ...process.env, ...settings },
    });
    const raising = setInterval(() => raisePriorities(stateDirectory), 250);
    try {
      await launcher.line(/Demarc is up/, startMilliseconds);
    } catch (failure) {
      await launcher.stop(20_000);
      throw failure;
    } finally {
      clearInterval(raising);
    }
    return new RunningSystem(stateDirectory, settings, readReady(stateDirectory), launcher);
  }

  /** One that another process has started and will stop. */
  static join({
    stateDirectory,
    settings,
  }: Pick<RunningSystem, 'stateDirectory' | 'settings'>): RunningSystem {
    return new RunningSystem(stateDirectory, settings, readReady(stateDirectory));
  }

  /** The same system, as the owner of another API key asks it. */
  withKey(apiKey: string): RunningSystem {
    const { stateDirectory, settings, ready } = this;
    return new RunningSystem(stateDirectory, settings, { ...ready, http: { ...ready.http, apiKey } });
  }

  /** A command of the executable, on the same database. */
  run(...argv: string[]): TestProcess {
    return this.runFile(process.env.DEMARC_TEST_ROLES ?? join('dist', 'cli.js'), argv);
  }

  /** The demo agent, which can also act as a customer's PBX. */
  agent(...options: string[]): TestProcess {
    return this.runFile(process.env.DEMARC_TEST_AGENT ?? join('dist-dev', 'agent.js'), options);
  }

  private runFile(file: string, argv: readonly string[]): TestProcess {
    const commandEnvironment = parseEnv(readFileSync(join(this.stateDirectory, 'env'), 'utf8'));
    return new TestProcess(process.execPath, [resolve(root, file), ...argv], {
      env: { ...process.env, ...this.settings, ...commandEnvironment },
    });
  }

  /** A new organization with the SIP entitlement; returns a key of it. */
  async organization(name: string): Promise<string> {
    await this.run('org', 'create', name, '--sip').exit(20_000);
    const made = this.run('key', 'create', name);
    await made.exit(20_000);
    return /sk-demarc-\S+/.exec(made.output)![0];
  }

  /** A softphone that calls, talks, and hangs up. @param options further ones of `npm run call` */
  phone(number: string, seconds: number, ...options: readonly string[]): TestProcess {
    return this.runFile(process.env.DEMARC_TEST_CALL ?? join('dist-dev', 'call.js'), [
      '--number',
      number.replace('+', ''),
      '--seconds',
      String(seconds),
      ...options,
    ]);
  }

  async ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Body> {
    const answer = await fetch(this.ready.http.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.ready.http.apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  }

  kill(part: string): void {
    const file = join(this.stateDirectory, 'run', `${part}.json`);
    process.kill(processIdentitySchema.parse(JSON.parse(readFileSync(file, 'utf8'))).pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.launcher?.stop(20_000);
    rmSync(this.stateDirectory, { recursive: true, force: true });
  }
}

/**
 * The launcher lowers the priority of these, so that they never delay calls. Beside other test files that use both cores
 * they would hardly run, and pages would not load within any timeout.
 */
export function raisePriorities(stateDirectory: string): void {
  for (const role of ['control', 'postgres']) {
    try {
      const file = join(stateDirectory, 'run', `${role}.json`);
      const { pid } = processIdentitySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      writeFileSync(`/proc/${pid}/autogroup`, '0');
      setPriority(pid, 0);
    } catch {
      // It has not started yet, or only root may do this.
    }
  }
}

function readReady(stateDirectory: string): ReadyFile {
  return readyFileSchema.parse(JSON.parse(readFileSync(join(stateDirectory, 'ready.json'), 'utf8')));
}
