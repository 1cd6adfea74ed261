import type { Talk } from './talker.js';

/** How the agent handles a call; selected by the called user or the header `X-Agent-Behaviour`. */
export type Behaviour =
  | { readonly kind: 'refuse'; readonly status: number }
  /** Neither rings nor answers. */
  | { readonly kind: 'ignore' }
  /** Rings until the caller gives up. */
  | { readonly kind: 'ring' }
  | {
      readonly kind: 'answer';
      /** undefined: the agent's default. */
      readonly ringMilliseconds?: number;
      /** 183 with audio instead of 180. */
      readonly early?: boolean;
      readonly hangUpMilliseconds?: number;
      /** Holds the call after this time, and resumes it after the same time again. */
      readonly holdMilliseconds?: number;
      readonly audio: 'tone-then-echo' | 'tone' | 'silence' | Talk;
    };

const longestSeconds = 3_600;

const usual: Behaviour = { kind: 'answer', audio: 'tone-then-echo' };

const talking = (replyMilliseconds: number, manners: Talk['manners']): Behaviour => ({
  kind: 'answer',
  audio: { replyMilliseconds, manners },
});

/** Parses a name from the list in `npm run agent -- --help`; any other value means the default: tone, then echo. */
export function readBehaviour(name: string): Behaviour {
  const [, word = name, digits] = /^([a-z]+)-(\d+(?:\.\d+)?)$/.exec(name) ?? [];
  const number = Number(digits);
  const milliseconds = Math.min(number, longestSeconds) * 1_000;
  switch (digits === undefined ? word : `${word}-n`) {
    case 'busy':
      return { kind: 'refuse', status: 486 };
    case 'reject-n':
      return { kind: 'refuse', status: number >= 300 && number <= 699 ? Math.floor(number) : 603 };
    case 'ring':
      return { kind: 'ring' };
    case 'noanswer':
      return { kind: 'ignore' };
    case 'slow-n':
      return { kind: 'answer', ringMilliseconds: milliseconds, audio: 'tone-then-echo' };
    case 'talk-n':
      return talking(number, 'yields');
    case 'insist-n':
      return talking(number, 'insists');
    case 'interrupt-n':
      return talking(number, 'interrupts');
    case 'early':
      return { kind: 'answer', early: true, ringMilliseconds: 4_000, audio: 'tone-then-echo' };
    case 'hangup-n':
      return { kind: 'answer', hangUpMilliseconds: milliseconds, audio: 'tone-then-echo' };
    case 'hold-n':
      return { kind: 'answer', holdMilliseconds: milliseconds, audio: 'tone-then-echo' };
    case 'silent':
      return { kind: 'answer', audio: 'silence' };
    case 'tone':
      return { kind: 'answer', audio: 'tone' };
    default:
      return usual;
  }
}
