/** What processes have while no call is up. */
export interface Sample {
  /** Since the start of the soak. */
  readonly minutes: number;
  /** Processes are being killed at that time, so that theirs are young. */
  readonly isTroubled: boolean;
  readonly megabytes: Readonly<Record<string, number>>;
  readonly descriptors: Readonly<Record<string, number>>;
}

/** Fewer samples say nothing about growth. */
const leastSamples = 6;
/** A heap grows and shrinks by this much between two full collections. */
const looseMegabytes = 12;
const looseShare = 0.1;
/** Connections to Redis, PostgreSQL and rtpengine come and go. */
const looseDescriptors = 6;
/** They keep what they are given, which is no leak: Redis and PostgreSQL store every call. */
const stores = /^(?:redis|postgres)/;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((first, second) => first - second);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

export interface Growth {
  readonly process: string;
  readonly what: 'MB' | 'descriptors';
  /** Medians of the first and the last third of the quiet samples. */
  readonly first: number;
  readonly last: number;
  readonly isFlat: boolean;
}

/**
 * Whether memory and descriptors of each process are flat while nothing is killed. The first sample is left out: programs are still
 * being compiled then. Undefined: there are too few samples.
 */
export function growthOf(samples: readonly Sample[]): Growth[] | undefined {
  const quiet = samples.filter(({ isTroubled }) => !isTroubled).slice(1);
  if (quiet.length < leastSamples) return undefined;
  const third = Math.floor(quiet.length / 3);
  const names = Object.keys(quiet[0]!.megabytes);
  return names.flatMap((process) => {
    const thirds = (of: 'megabytes' | 'descriptors'): [first: number, last: number] => {
      const values = quiet.map((sample) => sample[of][process] ?? 0);
      return [median(values.slice(0, third)), median(values.slice(-third))];
    };
    const [firstMegabytes, lastMegabytes] = thirds('megabytes');
    const [firstDescriptors, lastDescriptors] = thirds('descriptors');
    const highest = firstMegabytes * (1 + looseShare) + looseMegabytes;
    return [
      {
        process,
        what: 'MB' as const,
        first: firstMegabytes,
        last: lastMegabytes,
        isFlat: stores.test(process) || lastMegabytes <= highest,
      },
      {
        process,
        what: 'descriptors' as const,
        first: firstDescriptors,
        last: lastDescriptors,
        isFlat: lastDescriptors <= firstDescriptors + looseDescriptors,
      },
    ];
  });
}
