import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../test/support/free-ports.js';
import { Children, portAccepts } from './children.js';
import { nodeVersion, type SystemPlan, type SystemUnderTest } from './system-under-test.js';

const application = fileURLToPath(new URL('bare-b2bua.mjs', import.meta.url));

/**
 * drachtio-server, an application on it that only connects two legs, and rtpengine with the options of Demarc's: the least that
 * this server needs to carry the same calls.
 * @param server the server's executable
 */
export async function startPeer(plan: SystemPlan, server: string): Promise<SystemUnderTest> {
  const { directory, keys, agentPort, mediaPorts } = plan;
  const children = new Children(directory, { cores: plan.cores });
  const [admin, tls, tcp, ng] = (await freePorts(4)) as [number, number, number, number];
  const secret = randomBytes(16).toString('hex');
  const configuration = join(directory, 'drachtio.conf.xml');
  writeFileSync(configuration, serverConfiguration({ admin, tls, tcp, secret, keys }), { mode: 0o600 });
  try {
    const rtpengine = children.start('rtpengine', 'rtpengine', [
      ...['--config-file=none', '--foreground', '--log-stderr', '--log-level=5', '--log-level-control=3'],
      ...['--table=-1', '--interface=127.0.0.1', `--listen-ng=127.0.0.1:${ng}`, '--tos=184', '--mos=LQ'],
      ...[`--port-min=${mediaPorts.low}`, `--port-max=${mediaPorts.high}`],
    ]);
    const serverPid = children.start('server', server, ['-f', configuration]);
    await portAccepts(admin);
    await portAccepts(tls);
    const agent = `sip:agent@127.0.0.1:${agentPort};transport=tcp`;
    const applicationPid = children.start('application', plan.node, [
      ...[...plan.nodeOptions, application, String(admin), secret, String(ng), agent],
    ]);
    const pids = { server: serverPid, application: applicationPid, rtpengine };
    const processes = Object.entries(pids).map(([name, pid]) => ({ name, pid }));
    return {
      name: plan.name,
      description: `drachtio-server ${version(server)} with a bare B2BUA on drachtio-srf, Node.js ${nodeVersion(plan)}, and rtpengine`,
      target: { host: '127.0.0.1', port: tls },
      number: 'agent',
      processes: () => {
        const ended = processes.find(({ pid }) => !children.isRunning(pid));
        if (ended !== undefined) throw new Error(`${plan.name}: ${ended.name} has ended.`);
        return processes;
      },
      stop: () => children.stop(),
    };
  } catch (failure) {
    await children.stop();
    throw failure;
  }
}

interface ServerListeners extends Pick<SystemPlan, 'keys'> {
  readonly admin: number;
  readonly tls: number;
  readonly tcp: number;
  readonly secret: string;
}

const serverConfiguration = ({ admin, tls, tcp, secret, keys }: ServerListeners): string =>
  `<drachtio><admin port="${admin}" secret="${secret}">127.0.0.1</admin><sip><contacts>` +
  `<contact>sips:127.0.0.1:${tls};transport=tls</contact><contact>sip:127.0.0.1:${tcp};transport=tcp</contact></contacts>` +
  `<tls><key-file>${keys.keyFile}</key-file><cert-file>${keys.certFile}</cert-file>` +
  // Without a chain it refuses to start; the test does not verify it.
  `<chain-file>${keys.certFile}</chain-file></tls></sip>` +
  '<logging><console/><loglevel>error</loglevel><sofia-loglevel>0</sofia-loglevel></logging></drachtio>\n';

const version = (server: string): string =>
  execFileSync(server, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
