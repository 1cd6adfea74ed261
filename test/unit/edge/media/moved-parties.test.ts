import { describe, expect, it } from 'vitest';
import { callMovedParties } from '../../../../src/edge/media/moved-parties.js';

type Side = 'trunk' | 'agent';

/** Sessions in which the sides have sent so many packets at each query, the last number from then on. */
function moved(trunk: readonly number[], agent: readonly number[], held = false) {
  const silences: Side[] = [];
  let queries = 0;
  const stream = (ssrc: number, counts: readonly number[]) => ({
    medias: [
      {
        streams: [
          {
            flags: ['RTP'],
            SSRC: ssrc,
            stats: { packets: counts[Math.min(queries, counts.length - 1)]!, bytes: 0, errors: 0 },
          },
        ],
      },
    ],
  });
  const media = {
    isFlowing: true,
    query: async () => {
      const reply = { result: 'ok', tags: { trunk: stream(1, trunk), agent: stream(2, agent) }, SSRC: {} };
      queries += 1;
      return reply;
    },
    audio: {
      isOnHold: held,
      playSilence: async (side: Side) => void silences.push(side),
    },
  };
  return { media: media as never, silences, queries: () => queries };
}

describe('parties that moved to another session', () => {
  it('get no silence once they send', async () => {
    const { media, silences, queries } = moved([5, 15], [0, 10]);
    await callMovedParties(media);
    expect([silences, queries()]).toEqual([[], 2]);
  });

  it('get silence, a few times, while they alone send nothing', async () => {
    const { media, silences, queries } = moved([5, 15], [7]);
    await callMovedParties(media);
    expect(new Set(silences)).toEqual(new Set(['agent']));
    expect(silences.length).toBe(queries() - 1);
    expect(queries()).toBe(8);
  });

  it('get it in turns where both wait', async () => {
    const { media, silences } = moved([5], [5]);
    await callMovedParties(media);
    expect(silences.slice(0, 4)).toEqual(['agent', 'trunk', 'agent', 'trunk']);
  });

  it('get none while the call is on hold, whose music would end', async () => {
    const { media, silences } = moved([5], [5], true);
    await callMovedParties(media);
    expect(silences).toEqual([]);
  });

  it('are left alone once the session is over, or its node is down', async () => {
    const { media } = moved([5], [5]);
    await callMovedParties({ ...(media as object), query: async () => undefined } as never);
    let failures = 0;
    const query = async (): Promise<never> => {
      failures += 1;
      throw new Error('The node is down.');
    };
    await callMovedParties({ ...(media as object), query } as never);
    expect(failures).toBe(8);
  });
});
