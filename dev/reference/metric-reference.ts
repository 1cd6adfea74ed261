import { ControlMetrics } from '../../src/control/metrics.js';
import { EdgeMetrics } from '../../src/edge/metrics.js';
import { EngineMetrics } from '../../src/engine/engine-metrics.js';
import { MediaStreamMetrics } from '../../src/media-stream/metrics.js';
import type { DescribedMetric, RoleMetrics } from '../../src/metrics/role-metrics.js';

/** Every metric of every role, as defined in the code. */
export function allMetrics(): readonly {
  readonly role: string;
  readonly metrics: readonly DescribedMetric[];
}[] {
  const roles: RoleMetrics[] = [
    new EdgeMetrics(),
    new EngineMetrics(() => undefined),
    new MediaStreamMetrics(() => undefined),
    new ControlMetrics(),
  ];
  const common = { role: 'all', metrics: roles[0]!.common };
  return [...roles.map(({ role, described }) => ({ role, metrics: described })), common];
}

const titles: Readonly<Record<string, string>> = {
  edge: 'The edge (`demarc edge`)',
  engine: 'The SIP engine (`demarc engine`, or the child of an edge)',
  'media-stream': 'Agents by WebSocket (`demarc media-stream`)',
  control: 'The control plane (`demarc control`)',
  all: 'Every role',
};

const inCell = (text: string): string => text.replaceAll('|', '\\|');

const rowOf = ({ name, kind, help, labels }: DescribedMetric): string => {
  const described = Object.entries(labels ?? {}).map(([label, values]) => `\`${label}\`: ${values}`);
  return `| \`${name}\` | ${kind} | ${inCell(help)} | ${inCell(described.join('; '))} |`;
};

/** The text of `docs/metrics.md`, generated from the code so that no metric is missing. */
export function metricReference(): string {
  const sections = allMetrics().map(({ role, metrics }) =>
    [
      `## ${titles[role]}`,
      '',
      '| name | kind | meaning | labels |',
      '|---|---|---|---|',
      ...metrics.map(rowOf),
    ].join('\n'),
  );
  return `# Metrics

Generated from the code by \`npm run docs:metrics\`; do not edit. The pages use Prometheus' text format. If \`DEMARC_METRICS_TOKEN\` is set, they require
\`Authorization: Bearer DEMARC_METRICS_TOKEN\` (else 401); if not, they are open, so do not expose \`/metrics\` through a proxy. Every label has a bounded set of values: no numbers, call ids or caller-provided text.

| page | metrics |
|---|---|
| edge, \`DEMARC_HTTP_PORT\` | the edge's and its engine's (the child, or \`DEMARC_ENGINE_METRICS_URL\`) |
| engine, \`--metrics host:port\` | the engine's |
| media-stream, \`DEMARC_STREAM_HTTP\` | its own |
| control, \`DEMARC_HTTP_PORT\` | control's, and with \`DEMARC_EDGE_HEALTH_URL\` those of the edges, as with \`npm start\` |

Each role also exports process metrics with the label \`role\`, including \`process_cpu_seconds_total\`,
\`process_resident_memory_bytes\`, \`nodejs_heap_size_used_bytes\`, \`nodejs_eventloop_lag_p99_seconds\`, \`nodejs_eventloop_lag_max_seconds\` (since the last read) and \`nodejs_gc_duration_seconds\`.

\`docker compose --profile monitoring up -d\` runs Prometheus with the alert rules of \`docker/prometheus/alerts.yml\`, and Grafana with
the dashboard of \`docker/grafana/\` at http://127.0.0.1:3000. If you use a token, set it in each job of \`docker/prometheus/prometheus.yml\`:

\`\`\`yaml
    authorization:
      credentials_file: /etc/prometheus/metrics-token
\`\`\`

Prometheus reads the machines of each job from \`docker/prometheus/targets\` too. The job \`edge\` drops the metrics of the engine, which the job \`engine\` reads:
with two edges, sums would count them twice. \`npm test\` checks configuration and rules with \`promtool\`: each rule must alert in its case and not beside it.

Use the same token for edge and control: control reads the edge's page, and the edge the engine's, with its own token. drachtio-server's page
supports no token and listens on loopback.

${sections.join('\n\n')}
`;
}
