import { expect, it } from 'vitest';
import { labelSamples, mergeExpositions } from '../../../src/metrics/merge.js';

const page = (role: string, more = ''): string => `# HELP process_cpu_seconds_total CPU of ${role}.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total{role="${role}"} 1
${more}`;

it('puts each metric in one place, with one HELP and one TYPE', () => {
  const histogram = `# HELP demarc_setup_seconds Setup.
# TYPE demarc_setup_seconds histogram
demarc_setup_seconds_bucket{le="1"} 2
demarc_setup_seconds_bucket{le="+Inf"} 2
demarc_setup_seconds_sum 1
demarc_setup_seconds_count 2
`;
  expect(mergeExpositions([page('control'), page('edge', histogram), page('engine')])).toBe(
    `# HELP process_cpu_seconds_total CPU of control.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total{role="control"} 1
process_cpu_seconds_total{role="edge"} 1
process_cpu_seconds_total{role="engine"} 1

${histogram}`,
  );
});

it('omits pages that did not arrive', () => {
  expect(mergeExpositions([page('edge'), ''])).toBe(page('edge'));
});

it('keeps the samples of two edges apart, and those of their one engine single', () => {
  const edge = (calls: number): string =>
    `# TYPE demarc_calls gauge\ndemarc_calls ${calls}\n# TYPE demarc_calls_total counter\ndemarc_calls_total{direction="inbound"} 7\n# TYPE demarc_engine_dialogs gauge\ndemarc_engine_dialogs 4\n${page('engine')}`;
  const merged = mergeExpositions([
    labelSamples(edge(1), 'edge', 'edge-1'),
    labelSamples(edge(2), 'edge', 'edge-2'),
  ]);
  const samples = merged.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples).toEqual([
    'demarc_calls{edge="edge-1"} 1',
    'demarc_calls{edge="edge-2"} 2',
    'demarc_calls_total{edge="edge-1",direction="inbound"} 7',
    'demarc_calls_total{edge="edge-2",direction="inbound"} 7',
    'demarc_engine_dialogs 4',
    'process_cpu_seconds_total{role="engine"} 1',
  ]);
});
