/** A picture of the dashboard, in light and in dark colours. */
interface Picture {
  /** Of the dashboard's router. */
  readonly route: string;
  /** Which show it, by their paths from the root of the repository. */
  readonly documents: readonly string[];
}

export type PictureName = 'overview' | 'call' | 'add-number' | 'test-run' | 'pathway';

export const pictures: Readonly<Record<PictureName, Picture>> = {
  overview: { route: '/', documents: ['README.md', 'docs/dashboard.md'] },
  call: { route: '/calls/:id', documents: ['docs/dashboard.md'] },
  'add-number': { route: '/trunks/add', documents: ['docs/getting-started.md'] },
  'test-run': { route: '/testing/runs/:id', documents: ['docs/agent-testing.md'] },
  pathway: { route: '/pathways/:id/versions/:version', documents: ['docs/pathways.md'] },
};

export const colourSchemes = ['light', 'dark'] as const;
export type ColourScheme = (typeof colourSchemes)[number];

/** Readers of a document load every picture in it. */
export const maximumOctets = 100 * 1_024;

/** From the root of the repository. */
export const picturesFolder = 'docs/pictures';

export const fileOf = (name: string, scheme: ColourScheme): string => `${name}-${scheme}.webp`;
