type State = 'passing' | 'failing';

/** What a new state is announced as, once for each problem; undefined: it is no news. */
export function newsOf(before: State | null, after: State): 'failed' | 'recovered' | undefined {
  if (after === 'failing') return before === 'failing' ? undefined : 'failed';
  return before === 'failing' ? 'recovered' : undefined;
}
