/** Ids and field names of the audit log in words. */

/** Words of field names that are not written as they are spoken. */
const spelled: Readonly<Record<string, string>> = {
  api: 'API',
  dtmf: 'DTMF',
  id: 'ID',
  ids: 'IDs',
  ip: 'IP',
  ips: 'IP addresses',
  rtp: 'RTP',
  sip: 'SIP',
  sms: 'SMS',
  srtp: 'SRTP',
  tls: 'TLS',
  uri: 'URI',
  url: 'URL',
};

/** `phone_number, allowed_ips` → `phone number, allowed IP addresses`. */
export const fieldWords = (fields: string): string =>
  fields
    .split(', ')
    .map((field) =>
      field
        .split('_')
        .map((word) => spelled[word] ?? word)
        .join(' '),
    )
    .join(', ');

/** A piece of what was changed; `id` only where the text stands for that id. */
export interface SubjectPart {
  readonly text: string;
  readonly id?: string;
}

/** What an id of each kind names. */
export const kindNouns = {
  mem: 'member',
  inv: 'invitation',
  key: 'API key',
  whe: 'webhook endpoint',
  mwn: 'maintenance window',
  trk: 'trunk',
} as const;

export type NamedKind = keyof typeof kindNouns;

const kindOf = (word: string): NamedKind | undefined => {
  const kind = /^([a-z]{3})_[0-9a-f]{8,}$/.exec(word)?.[1];
  return kind !== undefined && Object.hasOwn(kindNouns, kind) ? (kind as NamedKind) : undefined;
};

/** The kinds of ids in these subjects. */
export const kindsIn = (subjects: readonly string[]): ReadonlySet<NamedKind> =>
  new Set(subjects.flatMap((subject) => subject.split(' ').flatMap((word) => kindOf(word) ?? [])));

/** Names of ids, of the kinds whose lists were read. */
export interface KnownNames {
  readonly kinds: ReadonlySet<NamedKind>;
  readonly byId: ReadonlyMap<string, string>;
}

/** The subject of an event with words in the place of its ids. */
export function subjectParts(subject: string, { kinds, byId }: KnownNames): readonly SubjectPart[] {
  const parts: { text: string; id?: string }[] = [];
  for (const word of subject.split(' ').filter((text) => text !== '')) {
    const kind = kindOf(word);
    const unlisted = kind && kinds.has(kind) ? `(${kindNouns[kind]} no longer listed)` : undefined;
    const name = byId.get(word) ?? unlisted;
    const last = parts.at(-1);
    if (name !== undefined) parts.push({ text: name, id: word });
    else if (last !== undefined && last.id === undefined) last.text += ` ${word}`;
    else parts.push({ text: word });
  }
  return parts;
}
