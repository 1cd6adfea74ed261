import { describe, expect, it } from 'vitest';
import { searchRates } from '../../../../dev/bench/clean-rate.js';

/** A system of which these rates are clean. */
async function search(highest: number, { from = 400, by = 100, to = 1_000 } = {}) {
  const tried: number[] = [];
  const found = await searchRates({ from, by, to }, async (rate) => {
    tried.push(rate);
    return rate <= highest ? undefined : 'delay';
  });
  return { ...found, tried };
}

describe('the search of the highest clean rate', () => {
  it('goes up while rates are clean', async () => {
    expect(await search(600)).toEqual({ clean: 600, boundBy: 'delay', tried: [400, 500, 600, 700] });
  });

  it('goes down where the first rate is not clean', async () => {
    expect(await search(250)).toEqual({ clean: 200, boundBy: 'delay', tried: [400, 300, 200] });
  });

  it('returns 0 only when the lowest rate is not clean', async () => {
    expect(await search(50)).toEqual({ clean: 0, boundBy: 'delay', tried: [400, 300, 200, 100] });
  });

  it('says where it ended without a flaw', async () => {
    expect(await search(5_000, { to: 500 })).toEqual({ clean: 500, boundBy: 'limit', tried: [400, 500] });
  });
});
