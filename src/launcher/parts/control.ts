import { join } from 'node:path';
import { readyMessage } from '../../base/supervised-process.js';
import { livenessOf } from '../api-request.js';
import type { CertificateFiles } from '../certificates.js';
import { backgroundNiceness, hostForUrl, ownRole, type Part, type PartContext } from '../part.js';
import type { EdgeFacts } from './edge.js';
import type { EngineFacts } from './engine.js';
import type { MediaStreamFacts } from './media-stream.js';
import type { RedisFacts } from './redis.js';
import type { RtpengineFacts } from './rtpengine.js';

export interface ControlFacts {
  /** Base URL of API, health and metrics: HTTPS where the network can reach it. */
  readonly url: string;
}

interface Needs {
  readonly databaseUrl: string;
  readonly redis: RedisFacts;
  /** The edges' private HTTP servers, whose health and metrics control forwards. */
  readonly edges: readonly Pick<EdgeFacts, 'name' | 'url'>[];
  /** The other processes with private listeners: nothing that a customer names leads there. */
  readonly engine: Pick<EngineFacts, 'adminPort' | 'metricsUrl' | 'agentSide'>;
  readonly rtpengine: Pick<RtpengineFacts, 'ng'>;
  readonly mediaStream: Pick<MediaStreamFacts, 'port'>;
  /** Not among `edges`: it runs only while the others are replaced. */
  readonly spareEdge: Pick<EdgeFacts, 'url'>;
  /** The edges' setting, shown to customers. */
  readonly sourcePolicy: 'any' | 'none';
  /** Serves the API over TLS; undefined: plain HTTP, on loopback. */
  readonly certificates: Pick<CertificateFiles, 'certificateFile' | 'keyFile' | 'caFile'> | undefined;
  /** The CA of the SIP certificate, which customers install on their PBXs. */
  readonly sipAuthorityFile: string;
  /** Token for `/metrics` and the details of `/readyz`; undefined: no token needed. */
  readonly metricsToken: string | undefined;
  /** Encrypts the trunk passwords. */
  readonly secretKey: string;
}

/** Its low priority leaves it without processor time while calls need it. */
const patientSeconds = 20;

const portOf = (url: string): number => Number(new URL(url).port);

/** Base URL of the API. */
export const controlUrl = ({ settings }: Pick<PartContext, 'settings'>, isTls: boolean): string =>
  `${isTls ? 'https' : 'http'}://${hostForUrl(settings.mediaAddress)}:${settings.httpPort}`;

/** The control plane: API, projection, call history. */
export function controlPart(context: PartContext, needs: Needs): Part<ControlFacts> {
  const { settings } = context;
  const { databaseUrl, redis, edges, sourcePolicy, secretKey, certificates, metricsToken } = needs;
  const { engine, rtpengine, mediaStream, spareEdge } = needs;
  const { sipTcpPort, sipUdpPort, agentSidePort } = settings;
  const ownPorts = [
    ...[settings.sipTlsPort, sipTcpPort, sipUdpPort, agentSidePort].filter((port) => port !== undefined),
    ...[engine.adminPort, portOf(engine.metricsUrl), portOf(`tcp://${engine.agentSide}`)],
    ...[redis.port, portOf(`udp://${rtpengine.ng}`), portOf(spareEdge.url), mediaStream.port],
  ];
  const url = controlUrl(context, certificates !== undefined);
  return {
    facts: { url },
    plan: {
      name: 'control',
      ...ownRole('control'),
      environment: {
        DATABASE_URL: databaseUrl,
        DEMARC_REDIS_URL: redis.url,
        DEMARC_SECRET_KEY: secretKey,
        DEMARC_BIND: settings.bind,
        DEMARC_HTTP_PORT: String(settings.httpPort),
        ...(certificates !== undefined && {
          DEMARC_HTTP_TLS_CERT: certificates.certificateFile,
          DEMARC_HTTP_TLS_KEY: certificates.keyFile,
          // Agent tests by voice call the edge over TLS, whose certificate is of this CA.
          NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? certificates.caFile,
        }),
        DEMARC_METRICS_TOKEN: metricsToken,
        DEMARC_ADVERTISED_HOST: settings.publicHost,
        DEMARC_SIP_TLS_PORT: String(settings.sipTlsPort),
        DEMARC_SIP_CA_CERT: needs.sipAuthorityFile,
        DEMARC_OWN_PORTS: ownPorts.join(','),
        DEMARC_RTP_PORTS: `${settings.rtpPorts.low}-${settings.rtpPorts.high}`,
        DEMARC_EDGE_HEALTH_URL: edges.map(({ name, url: edgeUrl }) => `${name}=${edgeUrl}`).join(','),
        DEMARC_SOURCE_POLICY: sourcePolicy,
        DEMARC_DOCUMENT_DIRECTORY:
          process.env.DEMARC_DOCUMENT_DIRECTORY ?? join(settings.stateDirectory, 'documents'),
        DEMARC_DISCOVERY_ALLOW_PRIVATE: process.env.DEMARC_DISCOVERY_ALLOW_PRIVATE ?? 'true',
        // First steps need no model: results say that a stand-in took its place.
        DEMARC_LLM_STAND_IN: process.env.DEMARC_LLM_STAND_IN ?? String(!process.env.DEMARC_LLM_URL),
        DEMARC_WEBHOOK_ALLOW_PRIVATE: process.env.DEMARC_WEBHOOK_ALLOW_PRIVATE ?? 'true',
        DEMARC_WEBHOOK_SHOW_PRIVATE: process.env.DEMARC_WEBHOOK_SHOW_PRIVATE ?? 'true',
      },
      channel: true,
      succeeds: true,
      niceness: backgroundNiceness,
      ready: async (started) => {
        await readyMessage(started);
      },
      limits: livenessOf(
        `${url}/livez`,
        Math.max(settings.unresponsiveSeconds, patientSeconds),
        certificates?.caFile,
      ),
      // Migrations of a large database take time.
      readyWithinMilliseconds: 120_000,
      // On a busy machine each start takes processor time from the calls.
      longestRestartMilliseconds: 60_000,
      graceMilliseconds: 5_000,
    },
  };
}
