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
  readonly knowledgeIds?: AgentKnowledge['knowledgeIds'];
  readonly tools?: readonly string[] | undefined;
  /** `X-Demarc-Token`. */
  readonly token?: Readonly<Record<string, string>>;
  /** How the number's configuration maps them. */
  readonly mappings: readonly HeaderMapping[];
}

type Headers = Readonly<Record<string, string>>;
type Alteration = (headers: Headers, source: AgentHeaderSource, limits: MessageLimits) => Headers;

/** Identifies the call; a caller's headers of these names are dropped. */
const identification: Alteration = (headers, source) => ({
  ...headers,
  'X-Demarc-Call-ID': source.callId,
  'X-Demarc-Org': source.organization,
  'X-Demarc-Number': source.number,
  'X-Demarc-Direction': source.direction,
});

/** The other party's contact, if it has a number: the caller, or the callee of an outbound call, which `From` names here. */
const contact: Alteration = (headers, source) => {
  const id = contactIdOf(source);
  return id === undefined ? headers : { ...headers, 'X-Demarc-Contact': id };
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

const version = (persona: AgentHeaderSource['persona']): Headers =>
  persona?.version === undefined ? {} : { 'X-Demarc-Persona-Version': String(persona.version) };

/** What the agent is and knows; the token covers knowledge whose list is too long. */
const knowledge: Alteration = (headers, { persona, knowledgeIds, tools, token }, limits) => ({
  ...headers,
  ...(persona?.id === undefined ? {} : { 'X-Demarc-Persona-ID': persona.id }),
  ...version(persona),
  ...listHeader('X-Demarc-Knowledge', knowledgeIds, limits),
  ...listHeader('X-Demarc-Tools', tools, limits),
  ...token,
});

const dialogIdentity: Alteration = (headers, source) => ({
  ...headers,
  'Call-ID': source.agentSipCallId,
  'Max-Forwards': String(source.maxForwards),
});

/** Display name and user of the caller at our own address, so that requests to From return through us. */
const caller: Alteration = (headers, source) => {
  const from = parseAddress(source.header('From') ?? '');
  const user = callerUser(source.header('From')) ?? 'anonymous';
  const isAnonymous = user.toLowerCase() === 'anonymous';
  const host = isAnonymous ? 'anonymous.invalid' : 'localhost';
  const address = { uri: `sip:${user}@${host}`, parameters: new Map<string, string | undefined>() };
  const displayName = from?.displayName;
  return {
    ...headers,
    From: formatAddress(displayName === undefined ? address : { ...address, displayName }),
  };
};

/** The number that was called, at the agent's address. */
const called: Alteration = (headers, source) => {
  const uri = parseUri(source.agentUri);
  const host = uri?.kind === 'sip' ? formatHostPort(uri.host, uri.port) : 'localhost';
  return { ...headers, To: `<sip:${source.number}@${host}>` };
};

const passing =
  (name: string): Alteration =>
  (headers, source) => {
    const value = source.header(name);
    return value === undefined ? headers : { ...headers, [name]: value };
  };

const capabilities: Alteration = (headers) => ({ ...headers, Allow: allow, 'User-Agent': 'demarc' });

/** Business data needs a handful; more only fills the message. */
const maximumExtensions = 40;

const extensionNames = ({ headerNames }: AgentHeaderSource): string[] =>
  headerNames
    .filter((name) => /^x-[!-9;-~]{1,62}$/i.test(name) && !/^x-demarc-/i.test(name))
    .slice(0, maximumExtensions);

/** The caller's own `X-` headers, which agents read business data from. */
const extensions: Alteration = (headers, source) => {
  const added: Record<string, string> = {};
  for (const name of extensionNames(source)) {
    const value = source.header(name);
    if (value !== undefined) added[name] = value;
  }
  return { ...added, ...headers };
};

/** The same headers as variables of the agent. */
const headerVariables: Alteration = (headers, source) => ({
  ...headerVariablesOf(extensionNames(source), source.header),
  ...identityVariables(source.header),
  ...headers,
});

/** What the number's configuration makes of the caller's headers, User-to-User among them. */
const mappedVariables: Alteration = (headers, { mappings, header }) =>
  mappings.length === 0 ? headers : { ...variablesOf(mappings, header), ...headers };

/** Applied in this order. */
const alterations: readonly Alteration[] = [
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
  mappedVariables,
  headerVariables,
  extensions,
];

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
  const altered = alterations.reduce<Headers>((headers, alter) => alter(headers, source, limits), {});
  const headers = Object.fromEntries(Object.entries(altered).filter(([, value]) => isHeaderText(value)));
  const sizes = Object.entries(headers).map(([name, value]) => [name, lineOctets(name, value)] as const);
  const room = Math.min(limits.head, limits.message - bodyOctets) - source.agentUri.length - reservedOctets;
  let size = sizes.reduce((sum, [, octets]) => sum + octets, 0);
  const dropped: string[] = [];
  if (size <= room) return { headers, dropped };
  const largestFirst = sizes.toSorted(([, one], [, other]) => other - one).map(([name]) => name);
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

const lineOctets = (name: string, value: string): number => name.length + Buffer.byteLength(value) + 4;
