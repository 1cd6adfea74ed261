import { describe, expect, it } from 'vitest';
import { askGates, type PromotionGate } from '../../../../src/control/promotions/promotion-gate.js';
import { type PromotionRow, promotionView } from '../../../../src/control/promotions/promotions.js';

const subject = {
  organizationId: 'org_1',
  kind: 'pathway' as const,
  id: 'p',
  versionId: 'v',
  versionNumber: 2,
  revision: 3,
  keyId: 'key_1',
};
const gate =
  (answer: readonly string[] | 'testing'): PromotionGate =>
  async () =>
    answer;

describe('the gates of a promotion', () => {
  it('let it through when all agree', async () => {
    expect(await askGates([], subject)).toBe('open');
    expect(await askGates([gate([]), gate([])], subject)).toBe('open');
  });

  it('wait for tests when one begins some', async () =>
    expect(await askGates([gate([]), gate('testing')], subject)).toBe('testing'));

  it('refuse it with the reasons of all', async () =>
    expect(askGates([gate(['one']), gate('testing'), gate(['two', 'three'])], subject)).rejects.toMatchObject(
      { code: 'PROMOTION_REFUSED', detail: 'one; two; three' },
    ));

  it('are asked about the version', async () => {
    const asked: unknown[] = [];
    await askGates(
      [
        async (about) => {
          asked.push(about);
          return [];
        },
      ],
      subject,
    );
    expect(asked).toEqual([subject]);
  });
});

describe('a promotion in a response', () => {
  it('says what came of it', () => {
    const row: PromotionRow = {
      organization_id: 'org_1',
      id: 'promotion',
      kind: 'pathway',
      subject_id: 'p',
      version_id: 'v',
      version_number: 2,
      revision: 3,
      requested_by: 'key_1',
      batch_id: 'batch',
      status: 'REFUSED',
      reasons: ['2 of 8 runs failed'],
      is_stand_in: false,
      created_at: new Date('2026-11-20T12:00:00Z'),
      completed_at: null,
    };
    expect(promotionView(row)).toEqual({
      id: 'promotion',
      status: 'REFUSED',
      version_number: 2,
      batch_id: 'batch',
      reasons: ['2 of 8 runs failed'],
      is_stand_in: false,
      created_at: '2026-11-20T12:00:00.000Z',
      completed_at: null,
    });
    expect(promotionView({ ...row, completed_at: new Date(0) }).completed_at).toBe(
      '1970-01-01T00:00:00.000Z',
    );
  });
});
