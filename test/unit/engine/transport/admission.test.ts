import { describe, expect, it } from 'vitest';
import { ConnectionAdmission } from '../../../../src/engine/transport/admission.js';
import { defaultLimits } from '../../../../src/engine/transport/settings.js';

const limited = (limits: Partial<typeof defaultLimits>) =>
  new ConnectionAdmission({ ...defaultLimits, ...limits });

describe('admission of incoming connections', () => {
  it('stops at the total for every source, and resumes when one closes', () => {
    const admission = limited({ incomingConnections: 2 });
    expect(admission.admit('a', false)).toBeUndefined();
    expect(admission.admit('b', false)).toBeUndefined();
    expect(admission.admit('c', false)).toBe('refusedTotal');
    admission.release('a');
    expect(admission.admit('c', false)).toBeUndefined();
    expect(admission.count).toBe(2);
  });

  it('ends at a source without touching others', () => {
    const admission = limited({ incomingConnectionsPerSource: 1 });
    expect(admission.admit('a', false)).toBeUndefined();
    expect(admission.admit('a', false)).toBe('refusedPerSource');
    expect(admission.admit('b', false)).toBeUndefined();
  });

  it('bounds unfinished handshakes in total and per source', () => {
    const admission = limited({ handshakes: 3, handshakesPerSource: 2 });
    expect(admission.admit('a', true)).toBeUndefined();
    expect(admission.admit('a', true)).toBeUndefined();
    expect(admission.admit('a', true)).toBe('refusedHandshakes');
    expect(admission.admit('b', true)).toBeUndefined();
    expect(admission.admit('b', true)).toBe('refusedHandshakes');
    admission.handshakeOver('a');
    expect(admission.admit('b', true)).toBeUndefined();
    expect(admission.admit('c', false)).toBeUndefined();
  });

  it('keeps no state of disconnected or refused sources', () => {
    const admission = limited({ incomingConnections: 1 });
    admission.admit('a', true);
    for (let i = 0; i < 1000; i++) expect(admission.admit(`s${i}`, true)).toBe('refusedTotal');
    expect(admission.knownSources).toBe(1);
    admission.handshakeOver('a');
    admission.release('a');
    expect(admission.knownSources).toBe(0);
    expect(admission.pendingHandshakes).toBe(0);
  });
});
