import { describe, expect, it } from 'vitest';
import type { Pathway, PathwayVersion } from '../../../../../src/dashboard/api/pathways.js';
import { PromotionPanel, reasonsOf } from '../../../../../src/dashboard/pages/pathways/promotion-panel.js';
import { now } from '../../../../../src/dashboard/parts/time.js';
import { type Rendered, rendered } from '../../rendered.js';

type Promotion = NonNullable<Pathway['promotion']>;

const promotionOf = (fields: Partial<Promotion>): Promotion =>
  ({
    version_number: 3,
    status: 'RUNNING',
    reasons: [],
    batch_id: 'b1',
    is_stand_in: false,
    completed_at: null,
    ...fields,
  }) as Promotion;

const panel = (promotion: Promotion | null, type = 'staging', version = 3): Rendered =>
  rendered(
    <PromotionPanel
      pathway={{ id: 'p1', promotion } as Pathway}
      version={{ version_number: version, version_type: type } as PathwayVersion}
      onChanged={() => undefined}
    />,
  );

describe('the promotion of a version', () => {
  it('is offered for a version that is not live, and not while one runs', () => {
    expect(panel(null).all('button')).toEqual(['Promote version 3']);
    expect(panel(null).elements('button')[0]!.disabled).toBe(false);
    expect(panel(promotionOf({})).elements('button')[0]!.disabled).toBe(true);
    expect(panel(promotionOf({ version_number: 2 })).elements('button')[0]!.disabled).toBe(true);
    expect(panel(promotionOf({ status: 'REFUSED' })).elements('button')[0]!.disabled).toBe(false);
  });

  it('is not offered for the live version, whose own result stays', () => {
    expect(panel(null, 'production').html).toBe('');
    expect(panel(promotionOf({ version_number: 2 }), 'production').html).toBe('');
    const live = panel(promotionOf({ status: 'PROMOTED' }), 'production');
    expect(live.text).toContain('All required scenarios passed');
    expect(live.all('button')).toEqual([]);
  });

  it('shows the result of this version alone', () => {
    expect(panel(promotionOf({})).text).toContain('Running the required scenarios Results');
    expect(panel(promotionOf({ version_number: 2 })).text).not.toContain('Running');
    const refused = panel(promotionOf({ status: 'REFUSED', reasons: ['Booking failed', 'Cost too high'] }));
    expect(refused.all('li')).toEqual(['Booking failed', 'Cost too high']);
    expect(refused.text).not.toContain('stand-in');
    expect(panel(promotionOf({ is_stand_in: true })).text).toContain('No language model is configured');
    const end = new Date(now.value - 120_000).toISOString();
    expect(panel(promotionOf({ status: 'PROMOTED', completed_at: end })).text).toContain('2 min ago');
  });

  it('lists the reasons of a refusal one by one, and any other failure as it is', () => {
    const failure = (code: string) => ({ code, message: 'a; b' }) as never;
    expect(reasonsOf(failure('PROMOTION_REFUSED'))).toEqual(['a', 'b']);
    expect(reasonsOf(failure('CONFLICT'))).toEqual(['a; b']);
  });
});
