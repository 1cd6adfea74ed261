import { contactOf } from '../../contract/contact-id.js';
import { type HeaderMapping, headerVariablePrefix, isHeaderText } from '../../contract/header-mapping.js';
import { formatAddress, parseAddress } from '../../sip/address.js';
import { formatHostPort, parseUri } from '../../sip/uri.js';
import { allow } from '../sip/capabilities.js';
import type { MessageLimits } from '../sip/message-limits.js';
import type { AgentKnowledge } from './agent-token.js';
import { callerUser, identityVariables } from './caller-identity.js';
import { headerVariablesOf, variableOf, variablesOf } from './header-mapping.js';

/** Source of the INVITE to the agent. */
export interface AgentHeaderSource {
  readonly callId: string;
  readonly organization: string;
  readonly number: string;
  readonly direction: 'inbound' | 'outbound';
  readonly agentUri: string;
  readonly agentSipCallId: string;
  readonly maxForwards: number;
  /** Header values of the trunk's INVITE, and the names of its headers. */
  header(name: string): string | undefined;
  readonly headerNames: readonly string[];
  /** Persona and knowledge of the number or the order, tools of the order. */
  readonly persona?: AgentKnowledge['persona'];
  readonly pathway?: AgentKnowledge['pathway'];
  readonly voice?: AgentKnowledge['voice'];
  readonly knowledgeIds?: AgentKnowledge['knowledgeIds'];
  readonly tools?: readonly string[] | undefined;
  /** `X-Demarc-Token`. */
  readonly token?: Readonly<Record<string, string>>;
  /** Of the other party, if the caller has looked it up. */
  readonly contactId?: string | undefined;
  /** How the number's configuration maps them. */
  readonly mappings: readonly HeaderMapping[];
}

/** What bots by WebSocket get of the same: `X-Demarc-Persona-ID` is `persona_id`. Other fields have the facts of the call itself. */
export function factsOf(source: AgentHeaderSource, limits: MessageLimits): Record<string, string> {
  const ids = Math.min(limits.ids, maximumFactIds);
  const headers = { ...contact(source, limits), ...knowledge(source, { ...limits, ids }) };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [factNames[name] ?? factName(name), value]),
  );
}

/** The order to a media-stream process travels in one header. */
const maximumFactIds = 2_000;

const factNames: Readonly<Record<string, string>> = { 'X-Demarc-Contact': 'contact_id' };
const factName = (header: string): string =>
  header
    .replace(/^X-Demarc-/, '')
    .toLowerCase()
    .replaceAll('-', '_');

type Headers = Readonly<Record<string, string>>;
/** Some of the headers; undefined: none. */
type Part = (source: AgentHeaderSource, limits: MessageLimits) => Headers | undefined;

/** Identifies the call; a caller's headers of these names are dropped. */
const identification: Part = (source) => ({
  'X-Demarc-Call-ID': source.callId,
  'X-Demarc-Org': source.organization,
  'X-Demarc-Number': source.number,
  'X-Demarc-Direction': source.direction,
});

/** The other party's contact, if it has a number: the caller, or the callee of an outbound call, which `From` names here. */
const contact: Part = (source) => {
  const id = source.contactId ?? contactIdOf(source);
  return id === undefined ? undefined : { 'X-Demarc-Contact': id };
};

/** Of the party that `From` names. */
export const contactIdOf = ({ organization, header }: Pick<AgentHeaderSource, 'organization' | 'header'>) =>
  contactOf(organization, callerUser(header('From')))?.id;

/** Ids with commas; a list that is too long is omitted entirely. */
function listHeader(
  name: string,
  ids: readonly string[] | undefined,
  { ids: maximum }: MessageLimits,
): Headers {
  const list = (ids ?? []).join(',');
  return list === '' || list.length > maximum ? {} : { [name]: list };
}

const versioned = (kind: 'Persona' | 'Pathway', subject: AgentKnowledge['persona']): Headers => ({
  ...(subject?.id === undefined ? {} : { [`X-Demarc-${kind}-ID`]: subject.id }),
  ...(subject?.version === undefined ? {} : { [`X-Demarc-${kind}-Version`]: String(subject.version) }),
});

/** What the agent is and knows; the token covers knowledge whose list is too long. */
const knowledge: Part = ({ persona, pathway, voice, knowledgeIds, tools, token }, limits) => ({
  ...versioned('Persona', persona),
  ...versioned('Pathway', pathway),
  ...(voice === undefined ? {} : { 'X-Demarc-Voice': voice }),
  ...listHeader('X-Demarc-Knowledge', knowledgeIds, limits),
  ...listHeader('X-Demarc-Tools', tools, limits),
  ...token,
});

const dialogIdentity: Part = (source) => ({
  'Call-ID': source.agentSipCallId,
  'Max-Forwards': String(source.maxForwards),
});

/** Display name and user of the caller at our own address, so that requests to From return through us. */
const caller: Part = (source) => {
  const from = parseAddress(source.header('From') ?? '');
  const user = callerUser(source.header('From')) ?? 'anonymous';
  const isAnonymous = user.toLowerCase() === 'anonymous';
  const host = isAnonymous ? 'anonymous.invalid' : 'localhost';
  const address = { uri: `sip:${user}@${host}`, parameters: new Map<string, string | undefined>() };
  const displayName = from?.displayName;
  return { From: formatAddress(displayName === undefined ? address : { ...address, displayName }) };
};

/** The number that was called, at the agent's address. */
const called: Part = (source) => {
  const uri = parseUri(source.agentUri);
  const host = uri?.kind === 'sip' ? formatHostPort(uri.host, uri.port) : 'localhost';
  return { To: `<sip:${source.number}@${host}>` };
};

const passing =
  (name: string): Part =>
  (source) => {
    const value = source.header(name);
    return value === undefined ? undefined : { [name]: value };
  };

const ours: Headers = { Allow: allow, 'User-Agent': 'demarc' };
const capabilities: Part = () => ours;

/** Business data needs a handful; more only fills the message. */
const maximumExtensions = 40;

const extensionNames = ({ headerNames }: AgentHeaderSource): string[] =>
  headerNames
    .filter((name) => /^x-[!-9;-~]{1,62}$/i.test(name) && !/^x-demarc-/i.test(name))
    .slice(0, maximumExtensions);

/** The caller's own `X-` headers, which agents read business data from. */
const extensions: Part = (source) => {
  const added: Record<string, string> = {};
  for (const name of extensionNames(source)) {
    const value = source.header(name);
    if (value !== undefined) added[name] = value;
  }
  return added;
};

/** The same headers as variables of the agent. */
const headerVariables: Part = (source) => ({
  ...headerVariablesOf(extensionNames(source), source.header),
  ...identityVariables(source.header),
});

/** What the number's configuration makes of the caller's headers, User-to-User among them. */
const mappedVariables: Part = ({ mappings, header }) =>
  mappings.length === 0 ? undefined : variablesOf(mappings, header);

/** A later one takes precedence. */
const parts: readonly Part[] = [
  identification,
  contact,
  knowledge,
  dialogIdentity,
  caller,
  called,
  capabilities,
  passing('P-Asserted-Identity'),
  passing('Remote-Party-ID'),
  passing('Diversion'),
  passing('User-to-User'),
  passing('Privacy'),
  passing('History-Info'),
];

/** What the caller and the configuration may name: an earlier one, and all of the above, takes precedence. */
const additions: readonly Part[] = [mappedVariables, headerVariables, extensions];

/** Omitted in this order when the message is too large: after the caller's own headers, before mapped variables. */
const optional = [
  'History-Info',
  'Privacy',
  'User-to-User',
  'Diversion',
  'Remote-Party-ID',
  'P-Asserted-Identity',
  'User-Agent',
];

export interface AgentHeaders {
  readonly headers: Record<string, string>;
  /** Names of the headers omitted for size. */
  readonly dropped: readonly string[];
}

/** Start line beside its URI, and what the engine writes itself. */
const reservedOctets = 200;

/** The headers of the agent's INVITE, within the room that its body leaves. */
export function agentHeaders(
  source: AgentHeaderSource,
  bodyOctets: number,
  limits: MessageLimits,
): AgentHeaders {
  const headers = allHeaders(source, limits);
  const room = Math.min(limits.head, limits.message - bodyOctets) - source.agentUri.length - reservedOctets;
  let size = 0;
  for (const name in headers) {
    if (isHeaderText(headers[name]!)) size += lineOctets(name, headers[name]!);
    else delete headers[name];
  }
  const dropped: string[] = [];
  if (size <= room) return { headers, dropped };
  const sizes = Object.entries(headers).map(([name, value]) => [name, lineOctets(name, value)] as const);
  const largestFirst = sizes.toSorted(([, first], [, second]) => second - first).map(([name]) => name);
  const mapped = new Set(source.mappings.map(variableOf));
  const names = [
    ...largestFirst.filter((name) => /^x-(?!demarc-)/i.test(name)),
    ...largestFirst.filter((name) => name.startsWith(headerVariablePrefix)),
    ...optional,
    ...largestFirst.filter((name) => mapped.has(name)),
    // The token stands for the first, and the order has the second.
    ...['X-Demarc-Knowledge', 'X-Demarc-Tools'],
  ];
  for (const name of names) {
    if (size <= room) break;
    const value = headers[name];
    if (value === undefined) continue;
    size -= lineOctets(name, value);
    delete headers[name];
    dropped.push(name);
  }
  return { headers, dropped };
}

function allHeaders(source: AgentHeaderSource, limits: MessageLimits): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of parts) Object.assign(headers, part(source, limits));
  for (const part of additions) {
    const more = part(source, limits);
    for (const name in more) if (!Object.hasOwn(headers, name)) headers[name] = more[name]!;
  }
  return headers;
}

const lineOctets = (name: string, value: string): number => name.length + Buffer.byteLength(value) + 4;
