import { expect, it } from 'vitest';
import { mergeExpositions } from '../../../src/metrics/merge.js';

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
