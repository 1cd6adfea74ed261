import { z } from 'zod';

const words = z
  .string()
  .transform((text) => text.split(',').map((word) => word.trim()))
  .pipe(z.array(z.string().min(1, 'must be texts separated by commas')).max(100));

/** Screening in the embedded engine, before anything reaches the edge; read by the process that starts the engine. */
export const screeningVariables = {
  /** None: a text that one installation calls a scanner is another one's softphone. */
  DEMARC_SIP_SCANNERS: words.default([]),
  /** 603 gives a misjudged caller the reason; `ignore` gives a scanner no answer. */
  DEMARC_SIP_SCANNER_ACTION: z.enum(['refuse', 'ignore']).default('refuse'),
  /** None: the edge answers OPTIONS, and knows whether it is ready. */
  DEMARC_SIP_ANSWER_OPTIONS: words.default([]),
} as const;

type Read = z.output<z.ZodObject<typeof screeningVariables>>;

/** The same as options of `demarc engine`. */
export const screeningArguments = (read: Read): readonly string[] => [
  ...read.DEMARC_SIP_SCANNERS.flatMap((text) => ['--scanner', text]),
  ...(read.DEMARC_SIP_SCANNERS.length === 0 ? [] : ['--scanner-action', read.DEMARC_SIP_SCANNER_ACTION]),
  ...read.DEMARC_SIP_ANSWER_OPTIONS.flatMap((text) => ['--answer-options', text]),
];
