/** Everything of one metric: its HELP and TYPE, and its samples. */
interface Block {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Puts several pages of Prometheus' text format into one, with each metric in one place as the format demands: of a metric
 * that several pages have, the first one's HELP and TYPE stand.
 */
export function mergeExpositions(pages: readonly string[]): string {
  const blocks = new Map<string, Block>();
  const keys = new Set<string>();
  for (const page of pages) {
    let name = '';
    const seen = new Set<string>();
    for (const line of page.split('\n')) {
      if (line === '') continue;
      const header = /^# (?:HELP|TYPE) (\S+)/.exec(line);
      if (header !== null) name = header[1]!;
      else if (line.startsWith('#')) continue;
      // A page without headers: the sample's own name.
      else if (!line.startsWith(name) || name === '') name = /^[^\s{]+/.exec(line)![0];
      let block = blocks.get(name);
      if (block === undefined) {
        block = { head: [], samples: [] };
        blocks.set(name, block);
        seen.add(name);
      }
      if (header === null) {
        // Several pages may repeat the one of another process; the first one's stands.
        const key = line.slice(0, line.lastIndexOf(' '));
        if (!keys.has(key)) block.samples.push(line);
        keys.add(key);
      } else if (seen.has(name)) block.head.push(line);
    }
  }
  return [...blocks.values()].flatMap(({ head, samples }) => [...head, ...samples, '']).join('\n');
}

/**
 * Adds a label to each sample of a page, so that pages of several processes can stand in one. Those of a SIP engine stay: it is the
 * same one for all.
 */
export function labelSamples(page: string, label: string, value: string): string {
  return page
    .split('\n')
    .map((line) => {
      if (line === '' || line.startsWith('#') || isOfEngine(line)) return line;
      const [name = ''] = /^[^\s{]+/.exec(line) ?? [];
      const rest = line.slice(name.length);
      const own = `${label}="${value}"`;
      return rest.startsWith('{') ? `${name}{${own},${rest.slice(1)}` : `${name}{${own}}${rest}`;
    })
    .join('\n');
}

const isOfEngine = (sample: string): boolean =>
  sample.startsWith('demarc_engine_') || sample.includes('role="engine"');

/**
 * Another process's page; empty when it does not answer in time.
 * @param token what it is asked with; undefined: the page is open
 */
export async function readExposition(
  url: string | undefined,
  milliseconds: number,
  token?: string,
): Promise<string> {
  if (url === undefined) return '';
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(milliseconds),
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}
