import { expect, it } from 'vitest';
import type { TraceEntry } from '../../../../src/contract/call-record.js';
import { boundedTrace } from '../../../../src/edge/live/call-snapshot.js';

const entry = (message: string): TraceEntry => ({
  at: '2026-11-20T10:00:00.000000Z',
  leg: 'trunk',
  direction: 'sent',
  protocol: 'tls',
  source: '192.0.2.1:5061',
  destination: '192.0.2.2:5061',
  summary: 'INFO',
  message,
});

it('keeps the first messages of a trace, as many as fit in octets, and says when that is not all', () => {
  const entries = ['äöü', '1234', '56'].map(entry);
  expect(boundedTrace({ entries, truncated: false }, 12)).toEqual({ entries, truncated: false });
  expect(boundedTrace({ entries, truncated: true }, 12).truncated).toBe(true);
  expect(boundedTrace({ entries, truncated: false }, 11)).toEqual({
    entries: entries.slice(0, 2),
    truncated: true,
  });
});
