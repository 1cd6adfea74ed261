import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivatePorts } from '../../src/launcher/ports.js';
import { until } from '../../src/testkit/waiting.js';
import type { TestAuthority } from './certificates.js';
import { TestProcess } from './processes.js';

/** Pebble, the ACME server (RFC 8555) that the authors of certbot and lego test with. It issues certificates for localhost, which it verifies by HTTP. */
export class AcmeServer {
  private constructor(
    private readonly process: TestProcess,
    private readonly folder: string,
    private readonly caFile: string,
    private readonly port: number,
    private readonly challengePort: number,
  ) {}

  static async start(authority: TestAuthority, ports: PrivatePorts): Promise<AcmeServer> {
    const folder = mkdtempSync(join(tmpdir(), 'demarc-acme-'));
    const { certFile, keyFile } = await authority.issue('acme-server');
    const [port, challengePort, tlsPort] = [await ports.take(), await ports.take(), await ports.take()];
    const configuration = join(folder, 'pebble.json');
    const pebble = {
      listenAddress: `127.0.0.1:${port}`,
      certificate: certFile,
      privateKey: keyFile,
      httpPort: challengePort,
      tlsPort,
    };
    writeFileSync(configuration, JSON.stringify({ pebble }));
    const started = new TestProcess('pebble', ['-config', configuration], {
      env: { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    });
    const server = new AcmeServer(started, folder, authority.caFile, port, challengePort);
    await until(
      () => {
        if (!started.isRunning) throw new Error(`pebble ended:\n${started.output}`);
        return started.output.includes('ACME directory available');
      },
      20_000,
      () => `pebble is ready: ${started.output}`,
    );
    return server;
  }

  /** Options of lego before its command. */
  get clientOptions(): string[] {
    return [
      ...['--path', this.folder, '--server', `https://127.0.0.1:${this.port}/dir`],
      ...['--accept-tos', '--email', 'operator@example.com', '--domains', 'localhost'],
      ...['--http', '--http.port', `127.0.0.1:${this.challengePort}`],
    ];
  }

  get clientEnvironment(): Record<string, string> {
    return { LEGO_CA_CERTIFICATES: this.caFile };
  }

  /** PEM of the authority that issued the last certificate. */
  issuer(): string {
    return readFileSync(join(this.folder, 'certificates', 'localhost.issuer.crt'), 'utf8');
  }

  async stop(): Promise<void> {
    await this.process.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
