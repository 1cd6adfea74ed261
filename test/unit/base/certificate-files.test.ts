import { describe, expect, it } from 'vitest';
import { expiryWarning } from '../../../src/base/certificate-files.js';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22);

describe('a certificate', () => {
  it('is warned of in its last two weeks, and when it has expired', () => {
    expect(expiryWarning(undefined, now)).toBeUndefined();
    expect(expiryWarning(now + 14 * day, now)).toBeUndefined();
    expect(expiryWarning(now + 13.5 * day, now)).toContain('expires in 13 days, on 2026-12-05');
    expect(expiryWarning(now - 1, now)).toContain('expired on 2026-11-21');
  });
});
