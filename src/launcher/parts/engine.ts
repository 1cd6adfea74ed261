import { callProcessEnvironment } from '../../base/garbage-collection.js';
import { readyMessage } from '../../base/supervised-process.js';
import { livenessOf } from '../api-request.js';
import type { CertificateFiles } from '../certificates.js';
import { hostPortText, ownRole, type Part, type PartContext } from '../part.js';

export interface EngineFacts {
  /** The wire protocol's listener on loopback. */
  readonly adminPort: number;
  readonly secret: string;
  /** `host:port` of the private listener. */
  readonly agentSide: string;
  readonly metricsUrl: string;
}

/** The embedded SIP engine: TLS and plain SIP towards the trunks, TCP and UDP on loopback towards the agent. */
export async function enginePart(
  { settings, facts }: PartContext,
  certificates: CertificateFiles,
  metricsToken?: string,
): Promise<Part<EngineFacts>> {
  const adminPort = await facts.port('engine', 'admin');
  const metricsPort = await facts.port('engine', 'metrics');
  const agentSide = hostPortText(
    settings.agentSideAddress,
    settings.agentSidePort ?? (await facts.port('engine', 'agents')),
  );
  const secret = facts.secret('engine');
  return {
    facts: { adminPort, secret, agentSide, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` },
    plan: {
      name: 'engine',
      ...ownRole(
        'engine',
        '--admin',
        `127.0.0.1:${adminPort}`,
        '--tls',
        hostPortText(settings.bind, settings.sipTlsPort),
        '--cert',
        certificates.certificateFile,
        '--key',
        certificates.keyFile,
        ...(settings.tlsCaFile === undefined ? [] : ['--ca', settings.tlsCaFile]),
        '--tcp',
        agentSide,
        '--udp',
        agentSide,
        ...plainListeners(settings),
        ...settings.screening,
        // After a restart the edges have dialogs for it.
        '--restore-seconds',
        '3',
        '--metrics',
        `127.0.0.1:${metricsPort}`,
        ...(settings.publicHost === settings.bind ? [] : ['--external-ip', settings.publicHost]),
      ),
      environment: {
        ...callProcessEnvironment,
        DEMARC_ENGINE_SECRET: secret,
        DEMARC_METRICS_TOKEN: metricsToken,
      },
      isolated: true,
      channel: true,
      succeeds: true,
      ready: async (started) => {
        await readyMessage(started);
      },
      limits: livenessOf(`http://127.0.0.1:${metricsPort}/livez`, settings.unresponsiveSeconds),
      readyWithinMilliseconds: 30_000,
      graceMilliseconds: 8_000,
    },
  };
}

/** Plain SIP listeners for trunks, only where enabled. On loopback the agent's listeners also serve such trunks. */
function plainListeners({ bind, sipTcpPort, sipUdpPort, forceRport }: PartContext['settings']): string[] {
  const listeners = [
    ['--tcp', sipTcpPort],
    ['--udp', sipUdpPort],
  ] as const;
  return listeners.flatMap(([option, port]) => {
    if (port === undefined) return [];
    const suffix = option === '--udp' && forceRport ? ',force-rport' : '';
    return [option, hostPortText(bind, port) + suffix];
  });
}
